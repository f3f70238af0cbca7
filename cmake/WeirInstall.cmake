# `cmake --install`. Component `array`: the two-phase library for applications, in all its languages, with pkg-config and
# CMake package files that may be moved together with the prefix. Component `workbench`: weir-core.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/weir)
set(fortran_module_dir ${CMAKE_INSTALL_INCLUDEDIR}/weir/fortran)
set(python_dir ${CMAKE_INSTALL_LIBDIR}/weir/python)
file(RELATIVE_PATH prefix_from_pkgconfig /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)

# weir_install_library(TARGET NAME folders...): the target as weir::NAME, with its pkg-config file; its users look for
# headers or modules in these folders too.
function(weir_install_library target name)
  string(REPLACE _ - dashed ${name})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} INSTALL_RPATH "$ORIGIN")
  install(TARGETS ${target} EXPORT weir_${name} COMPONENT array LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
          INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${ARGN})
  install(EXPORT weir_${name} NAMESPACE weir:: DESTINATION ${package_dir} COMPONENT array)
  configure_file(${CMAKE_SOURCE_DIR}/packaging/weir-${dashed}.pc.in ${CMAKE_BINARY_DIR}/weir-${dashed}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/weir-${dashed}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT array)
endfunction()

weir_install_library(weir_array_shared array)
get_property(formats GLOBAL PROPERTY WEIR_FORMATS)
foreach(format IN LISTS formats)
  get_target_property(format_cflags weir_${format}_shared WEIR_CFLAGS)
  get_target_property(format_libs weir_${format}_shared WEIR_LIBS)
  weir_install_library(weir_${format}_shared ${format})
endforeach()
get_property(formats_left_out GLOBAL PROPERTY WEIR_FORMATS_LEFT_OUT)
list(TRANSFORM formats_left_out REPLACE "(.+)" "PATTERN;\\1.h;EXCLUDE")
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/weir DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT array
        ${formats_left_out})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/python/weir_array DESTINATION ${python_dir} COMPONENT array
        FILES_MATCHING PATTERN "*.py")
install(DIRECTORY ${CMAKE_SOURCE_DIR}/examples/array DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT array)
if(WEIR_FORTRAN)
  weir_install_library(weir_array_fortran array_fortran ${fortran_module_dir})
  get_target_property(modules weir_array_fortran Fortran_MODULE_DIRECTORY)
  install(FILES ${modules}/weir.mod DESTINATION ${fortran_module_dir} COMPONENT array)
endif()

configure_package_config_file(${CMAKE_SOURCE_DIR}/packaging/weirConfig.cmake.in ${CMAKE_BINARY_DIR}/weirConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/weirConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/weirConfig.cmake ${CMAKE_BINARY_DIR}/weirConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT array)
