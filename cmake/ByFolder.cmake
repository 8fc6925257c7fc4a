# compile_by_folder(TARGET): compiles the sources of each folder as one, unless WHEELWRIGHT_BY_FOLDER is OFF. Most of what
# a compiler reads is headers, the same for each source of a folder, so all of them take a third of the time. The helpers
# of a folder's sources need names that differ. A header that a source uses and does not include is found by clang-tidy,
# which reads each source alone.
# compile_by_fours(TARGET): the same for tests, some four at a time, chosen by a sum of their names, since tests of one
# matter have helpers of the same names. A new test joins one group, and changes no other.

set(SOURCES_AT_ONCE 16) # of a large folder, so that the last core to finish is not far behind

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
