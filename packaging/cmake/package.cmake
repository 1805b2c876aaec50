# SPDX-License-Identifier: Apache-2.0
# Install rules and the .deb: `cpack` in the build folder of the release preset.
# Qt, Graphviz and the rest stay packages of the system; only an ONNX Runtime fetched by packaging/setup is bundled.
include(GNUInstallDirs)

set(_private "${CMAKE_INSTALL_LIBDIR}/duoscope")
set(_doc "${CMAKE_INSTALL_DATADIR}/doc/duoscope")
get_target_property(_engine onnxruntime::onnxruntime IMPORTED_LOCATION)
cmake_path(IS_PREFIX DUOSCOPE_CACHE "${_engine}" NORMALIZE DUOSCOPE_ENGINE_BUNDLED)

foreach(_program duoscope duoscope-cli duoscope-engine duoscope-layout)
    if(TARGET ${_program})
        install(TARGETS ${_program} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
    endif()
endforeach()
if(DUOSCOPE_ENGINE_BUNDLED)
    set_target_properties(duoscope-engine PROPERTIES INSTALL_RPATH "\$ORIGIN/../${_private}")
    install(FILES "${_engine}" DESTINATION "${_private}")
    install(DIRECTORY "${DUOSCOPE_CACHE}/onnxruntime/share/doc/onnxruntime" DESTINATION "${_doc}")
endif()

set(_linux "${PROJECT_SOURCE_DIR}/packaging/linux")
install(FILES "${_linux}/duoscope.desktop" DESTINATION "${CMAKE_INSTALL_DATADIR}/applications")
install(FILES "${_linux}/duoscope.metainfo.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo")
install(FILES "${_linux}/duoscope.svg" DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps")
install(FILES "${_linux}/duoscope-mime.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages" RENAME duoscope.xml)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${_doc}" RENAME copyright)
install(CODE "execute_process(COMMAND \"${PROJECT_SOURCE_DIR}/packaging/notices\"
    OUTPUT_FILE \"${PROJECT_BINARY_DIR}/notices.txt\" COMMAND_ERROR_IS_FATAL ANY)")
install(FILES "${PROJECT_BINARY_DIR}/notices.txt" DESTINATION "${_doc}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/resources/samples" DESTINATION "${CMAKE_INSTALL_DATADIR}/duoscope" OPTIONAL
    PATTERN "*.py" EXCLUDE)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "Duoscope maintainers")
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS qt6-qpa-plugins)
cmake_path(GET _engine PARENT_PATH CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS)
include(CPack)
unset(_private)
unset(_doc)
unset(_engine)
unset(_linux)
