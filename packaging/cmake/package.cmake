# SPDX-License-Identifier: Apache-2.0
# Install rules and the .deb (cpack --preset is not needed: run cpack in a release build folder).
# Qt, Graphviz and the rest stay packages of the system; only an ONNX Runtime fetched by packaging/setup is bundled.
include(GNUInstallDirs)

set(_private "${CMAKE_INSTALL_LIBDIR}/duoscope")
get_target_property(_engine onnxruntime::onnxruntime IMPORTED_LOCATION)
cmake_path(IS_PREFIX DUOSCOPE_CACHE "${_engine}" NORMALIZE _bundled)

foreach(_program duoscope duoscope-cli duoscope-layout)
    if(TARGET ${_program})
        install(TARGETS ${_program} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
        if(_bundled)
            set_target_properties(${_program} PROPERTIES INSTALL_RPATH "\$ORIGIN/../${_private}")
        endif()
    endif()
endforeach()
if(_bundled)
    install(FILES "${_engine}" DESTINATION "${_private}")
endif()
