# What a build for Windows needs besides: the libraries of the system, and what Windows reads of a program.
enable_language(RC)

target_compile_definitions(project_options INTERFACE _WIN32_WINNT=0x0A00 NOMINMAX WIN32_LEAN_AND_MEAN)
target_link_libraries(project_options INTERFACE ws2_32 mswsock crypt32 bcrypt advapi32 user32 shell32 psapi rstrtmgr)
if(CMAKE_CXX_SIMULATE_ID STREQUAL "MSVC")
  # The manifest is in program.rc. Microsoft's headers are newer than those whose warnings are known.
  target_link_options(project_options INTERFACE LINKER:/MANIFEST:NO)
  target_compile_options(project_options INTERFACE -Wno-error)
endif()

string(REPLACE "." "," version_words ${PROJECT_VERSION})

# windows_program(TARGET): gives the program its resources.
function(windows_program target)
  set(resources ${CMAKE_SOURCE_DIR}/packaging/windows/program.rc)
  target_sources(${target} PRIVATE ${resources})
  target_compile_definitions(
    ${target} PRIVATE $<$<COMPILE_LANGUAGE:RC>:WHEELWRIGHT_VERSION_WORDS=${version_words},0>)
  set_source_files_properties(${resources} TARGET_DIRECTORY ${target}
                              PROPERTIES OBJECT_DEPENDS ${CMAKE_SOURCE_DIR}/packaging/windows/program.manifest)
endfunction()
