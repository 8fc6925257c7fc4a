# precompile_headers(TARGET HEADER...): compiles cmake/precompiled.h and the headers once for all sources of the target.
# share_precompiled_headers(TARGET OTHER): reuses those of another target, which is compiled with the same options.
#
# A precompiled header contains the path of its build folder, so ccache, which hashes it, would miss in every new clone.
# With CCACHE_PCH_EXTSUM, ccache hashes the file NAME.sum instead, which holds a hash of everything that the header is
# made from. The header itself is never cached, because clang rejects one whose sources are gone.

# CMake passes the header's path to clang with -Xclang, which ccache compares as text. With -include, clang finds the
# .pch next to the header, and ccache treats the argument as a path. The header is quoted for the same reason: CMake
# keeps a quoted name as it is, and makes any other name an absolute path.
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
