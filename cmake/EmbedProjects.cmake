# Writes the C++ source with the projects that `wheelwright init` begins with. Run by the build, so that a change of a
# row compiles one file and configures nothing:
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
