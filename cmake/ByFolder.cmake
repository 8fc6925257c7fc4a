# compile_by_folder(TARGET): compiles the sources of each folder as one, unless WHEELWRIGHT_BY_FOLDER is OFF. Most of the
# compiler's input is headers, which are the same for all sources of a folder, so the build takes a third of the time.
# Helpers in one folder need different names. `./dev lint --alone`, which runs each night, finds missing includes.
# With WHEELWRIGHT_LARGE_UNITS, neighbouring folders are compiled as one too: the same functions of templates are compiled
# in fewer units, so a whole build takes a quarter less, but a build after a change takes longer.
# compile_by_hash(TARGET): the same for tests, in twenty groups, or in ten large ones. The group is a hash of the file
# name, because tests of one subject often have helpers of the same names. A new test changes only its own group.
#
# Sources with the property ALONE or with definitions, and those that the build makes, are compiled by themselves.
#
# CMake's own UNITY_BUILD would name the sources by absolute paths, and then no other clone finds the objects in the
# compiler's cache.

set(SOURCES_AT_ONCE 16) # larger folders are split, so that all cores finish at about the same time
set(SOURCES_AT_MOST 44) # the same for neighbouring folders

# The sources of the target that are compiled together, as paths below the top folder.
function(_sources_together target result)
  get_target_property(sources ${target} SOURCES)
  list(SORT sources)
  set(found "")
  foreach(path ${sources})
    cmake_path(ABSOLUTE_PATH path BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    cmake_path(IS_PREFIX CMAKE_BINARY_DIR ${path} made)
    get_source_file_property(alone ${path} ALONE)
    get_source_file_property(defined ${path} COMPILE_DEFINITIONS)
    if(NOT made AND NOT alone AND NOT defined AND path MATCHES "\\.cpp$")
      cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${CMAKE_SOURCE_DIR})
      list(APPEND found ${path})
    endif()
  endforeach()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# Adds to the target a source for each group, which includes those of the group; they are compiled no more by themselves.
# `members` is a list of "GROUP|PATH".
function(_compile_together target members)
  set(groups "")
  foreach(member ${members})
    string(REGEX MATCH "^([^|]*)[|](.*)$" member ${member})
    set(path ${CMAKE_MATCH_2})
    list(APPEND groups ${CMAKE_MATCH_1})
    string(APPEND text_of_${CMAKE_MATCH_1} "#include \"${path}\"\n")
    set_source_files_properties(${CMAKE_SOURCE_DIR}/${path} PROPERTIES HEADER_FILE_ONLY ON)
  endforeach()
  list(REMOVE_DUPLICATES groups)
  foreach(group ${groups})
    set(together ${CMAKE_BINARY_DIR}/by_folder/${target}/${group}.cpp)
    file(CONFIGURE OUTPUT ${together} CONTENT "${text_of_${group}}" @ONLY)
    target_sources(${target} PRIVATE ${together})
  endforeach()
endfunction()

function(compile_by_folder target)
  if(NOT WHEELWRIGHT_BY_FOLDER)
    return()
  endif()
  _sources_together(${target} sources)
  set(folders "")
  foreach(path ${sources})
    cmake_path(GET path PARENT_PATH folder)
    list(APPEND folders ${folder})
    string(MAKE_C_IDENTIFIER ${folder} key)
    list(APPEND sources_of_${key} ${path})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  set(members "")
  set(together 0) # in the group that the next folder may join
  foreach(folder ${folders})
    string(MAKE_C_IDENTIFIER ${folder} key)
    list(LENGTH sources_of_${key} count)
    math(EXPR together "${together} + ${count}")
    if(NOT WHEELWRIGHT_LARGE_UNITS OR NOT DEFINED group OR together GREATER SOURCES_AT_MOST)
      set(group ${key})
      set(together ${count})
    endif()
    set(index 0)
    foreach(path ${sources_of_${key}})
      set(part 0)
      if(NOT WHEELWRIGHT_LARGE_UNITS)
        math(EXPR part "${index} / ${SOURCES_AT_ONCE}")
        math(EXPR index "${index} + 1")
      endif()
      list(APPEND members "${group}_${part}|${path}")
    endforeach()
  endforeach()
  _compile_together(${target} "${members}")
endfunction()

function(compile_by_hash target)
  if(NOT WHEELWRIGHT_BY_FOLDER)
    return()
  endif()
  _sources_together(${target} sources)
  set(count 20)
  if(WHEELWRIGHT_LARGE_UNITS)
    set(count 10)
  endif()
  set(members "")
  foreach(path ${sources})
    cmake_path(GET path FILENAME name)
    string(MD5 sum ${name})
    string(SUBSTRING ${sum} 0 6 digits)
    math(EXPR group "0x${digits} % ${count}")
    list(APPEND members "group_${group}|${path}")
  endforeach()
  _compile_together(${target} "${members}")
endfunction()
