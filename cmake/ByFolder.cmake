# compile_by_folder(TARGET): a unity build of each folder's sources, unless WHEELWRIGHT_BY_FOLDER is OFF. Most of the
# compiler's input is headers, which are the same for all sources of a folder, so the build takes a third of the time.
# Helpers in one folder need different names. `./dev lint --alone`, which runs each night, finds missing includes.
# compile_by_fours(TARGET): the same for tests, in groups of about four. The group is a hash of the file name, because
# tests of one subject often have helpers of the same names. A new test changes only its own group.

set(SOURCES_AT_ONCE 16) # larger folders are split, so that all cores finish at about the same time

function(compile_by_folder target)
  if(NOT WHEELWRIGHT_BY_FOLDER)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(SORT sources)
  foreach(path ${sources})
    cmake_path(GET path PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${CMAKE_SOURCE_DIR})
    string(MAKE_C_IDENTIFIER ${folder} group)
    if(DEFINED count_of_${group})
      math(EXPR count_of_${group} "${count_of_${group}} + 1")
    else()
      set(count_of_${group} 0)
    endif()
    math(EXPR part "${count_of_${group}} / ${SOURCES_AT_ONCE}")
    set_source_files_properties(${path} PROPERTIES UNITY_GROUP ${group}_${part})
  endforeach()
endfunction()

function(compile_by_fours target)
  if(NOT WHEELWRIGHT_BY_FOLDER)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(path ${sources})
    cmake_path(GET path FILENAME name)
    string(MD5 sum ${name})
    string(SUBSTRING ${sum} 0 6 digits)
    math(EXPR group "0x${digits} % 20")
    set_source_files_properties(${path} PROPERTIES UNITY_GROUP group_${group})
  endforeach()
endfunction()
