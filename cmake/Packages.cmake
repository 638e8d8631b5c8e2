# What is installed beside the program, and the .deb: find_package(lightloop) gives schedulers as a library.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/lightloop)
configure_package_config_file(cmake/lightloop-config.cmake.in lightloop-config.cmake INSTALL_DESTINATION ${package_folder}
                              PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(lightloop-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/lightloop-config.cmake ${CMAKE_BINARY_DIR}/lightloop-config-version.cmake
        DESTINATION ${package_folder} COMPONENT library)
install(TARGETS ocs_scheduler ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install_headers(COMPONENT library HEADERS host/scheduler/catalogue.hpp host/scheduler/check_plan.hpp
                host/scheduler/placers/allocation.hpp host/core/units.hpp)
install(FILES README.md CHANGELOG.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)

# The .deb of tools/deb holds all of it, without what is only installed by the name of its component (the Python package).
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "the lightloop authors <lightloop@localhost>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "verilator (>= 5.006), g++")   # for sizes of the switch that are not in the package
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "zlib1g-dev, coinor-libclp-dev, libsystemc-dev, dataset-fashion-mnist")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "A cycle-accurate optical circuit switch in SystemVerilog, and a host that
schedules its circuits for distributed training. Switches of the sizes that
the package holds run without a compiler.")
include(CPack)
