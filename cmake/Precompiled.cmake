# precompile_headers(TARGET HEADER...): compiles cmake/precompiled.h and the headers once for all sources of the target.
# share_precompiled_headers(TARGET OTHER): takes those of another target, which is compiled with the same options.
#
# A precompiled header holds the path of its build folder, so that ccache, which hashes it, would miss in every new
# clone. The file with .sum at its end is what ccache hashes in its place (CCACHE_PCH_EXTSUM): all that the header is
# made of. It is never taken from the cache itself, because clang refuses one whose sources are gone.

# CMake hands clang the header's path by -Xclang, which ccache takes for text that has to be equal. By -include, clang
# finds the .pch beside the header, and ccache knows a path. For the same reason the header is named in quotes: CMake
# writes such a name as it stands, and any other as an absolute path.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH -include <PCH_HEADER>)
endif()

function(precompile_headers target)
  target_precompile_headers(${target} PRIVATE [["cmake/precompiled.h"]] ${ARGN})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    set(suffix pch)
  else()
    set(suffix gch)
  endif()
  file(READ ${CMAKE_SOURCE_DIR}/cmake/precompiled.h text)
  set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
                                                             ${CMAKE_SOURCE_DIR}/cmake/precompiled.h)
  get_target_property(options project_options INTERFACE_COMPILE_OPTIONS)
  string(SHA256 sum "${text} ${ARGN} ${options} ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} ${CMAKE_BUILD_TYPE} \
${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${CMAKE_BUILD_TYPE}} ${fmt_VERSION} ${nlohmann_json_VERSION} ${Catch2_VERSION}")
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/cmake_pch.hxx.${suffix}.sum ${sum})
endfunction()

function(share_precompiled_headers target other)
  target_precompile_headers(${target} REUSE_FROM ${other})
endfunction()
