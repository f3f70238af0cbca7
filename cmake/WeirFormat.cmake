# How a library for files of another format becomes part of the build, or is left out of it.

function(weir_format_settings target)
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
  target_link_libraries(${target} PUBLIC weir_options MPI::MPI_C fmt::fmt)
  set_target_properties(${target} PROPERTIES
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON POSITION_INDEPENDENT_CODE ON)
  target_precompile_headers(${target} REUSE_FROM weir_headers)
endfunction()

# weir_format(NAME INCLUDES folders... LINK libraries...): libweir_NAME, from the sources of this folder, on top of a
# format's library, whose header include/weir/NAME.h includes. Tests take the objects, applications the library.
function(weir_format name)
  cmake_parse_arguments(ARG "" "" "INCLUDES;LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_library(weir_format_${name} OBJECT ${sources})
  weir_format_settings(weir_format_${name})
  target_include_directories(weir_format_${name} SYSTEM PUBLIC ${ARG_INCLUDES})
  target_link_libraries(weir_format_${name} PUBLIC weir_format_common ${ARG_LINK})

  set(shared weir_${name}_shared)
  add_library(${shared} SHARED $<TARGET_OBJECTS:weir_format_common> $<TARGET_OBJECTS:weir_format_${name}>)
  target_link_libraries(${shared} PRIVATE weir_below_array fmt::fmt PUBLIC weir_array_shared ${ARG_LINK})
  target_include_directories(${shared} SYSTEM PUBLIC ${ARG_INCLUDES})
  target_link_options(${shared} PRIVATE -Wl,--exclude-libs,ALL -Wl,--as-needed)
  set_target_properties(${shared} PROPERTIES OUTPUT_NAME weir_${name} SOVERSION 0 VERSION ${PROJECT_VERSION})
  # For the pkg-config file.
  list(TRANSFORM ARG_INCLUDES PREPEND "-I")
  list(JOIN ARG_INCLUDES " " includes)
  list(JOIN ARG_LINK " " link)
  set_target_properties(${shared} PROPERTIES WEIR_CFLAGS "${includes}" WEIR_LIBS "${link}")
  set_property(GLOBAL APPEND PROPERTY WEIR_FORMATS ${name})
endfunction()

# weir_format_left_out(NAME REASON): says why this build lacks a format.
function(weir_format_left_out name reason)
  message(STATUS "Weir: without the library weir_${name}: ${reason}")
  set_property(GLOBAL APPEND PROPERTY WEIR_FORMATS_LEFT_OUT ${name})
endfunction()
