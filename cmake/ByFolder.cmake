# compile_by_folder(TARGET): compiles the sources of each folder as one, where WHEELWRIGHT_BY_FOLDER says so. Most of what
# a compiler reads is headers, the same for each source of a folder, so that all of them take a third of the time. One
# source that changes takes longer, so the build to work with goes without it, and finds there what a source uses and
# does not include. The helpers of a folder's sources need names that differ.

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
