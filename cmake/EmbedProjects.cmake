# Writes the C++ source that embeds the projects of `wheelwright init`. The build runs this script, so that a change of
# a project recompiles one file without reconfiguring:
#   cmake -D SOURCES=FOLDER -D OUT=FILE -P EmbedProjects.cmake

include(${CMAKE_CURRENT_LIST_DIR}/Projects.cmake)
set(PROJECTS "")
foreach(project ${BEGINNINGS})
  string(APPEND PROJECTS "    {\"${project}\",\n     \"${SAYS_OF_${project}}\",\n     {\n")
  list_beginning(${SOURCES} ${project} files)
  foreach(pair ${files})
    string(REPLACE "|" ";" pair "${pair}")
    list(GET pair 0 name)
    list(GET pair 1 path)
    file(READ ${SOURCES}/${path} text)
    string(APPEND PROJECTS "         {\"${name}\", R\"file(${text})file\"},\n")
  endforeach()
  string(APPEND PROJECTS "     }},\n")
endforeach()
configure_file(${SOURCES}/generator/commands/beginnings.cpp.in ${OUT} @ONLY)
