# What `cmake --install` and the wheel put on a machine: the two programs.

set(WHEELWRIGHT_NOTICES "" CACHE FILEPATH "Licenses of the libraries that are linked statically, for the wheel")

if(DEFINED SKBUILD_SCRIPTS_DIR)
  install(TARGETS wheelwright wheelrun RUNTIME DESTINATION ${SKBUILD_SCRIPTS_DIR} COMPONENT programs)
  install(FILES ${CMAKE_SOURCE_DIR}/LICENSE ${WHEELWRIGHT_NOTICES} DESTINATION ${SKBUILD_METADATA_DIR}/licenses
          COMPONENT programs)
else()
  include(GNUInstallDirs)
  install(TARGETS wheelwright wheelrun RUNTIME COMPONENT programs)
endif()
