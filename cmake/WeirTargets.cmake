# How a piece of Weir becomes part of the build. Sources are found by folder, so that adding a file is enough.

add_library(weir_options INTERFACE)
target_compile_options(weir_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion -fno-semantic-interposition)
# Joined sources shadow private names of each other; each by itself must not.
if(NOT CMAKE_UNITY_BUILD)
  target_compile_options(weir_options INTERFACE -Wshadow)
endif()
# MPI's C++ interface was removed from the standard in 3.0; libraries that still have it would want another library linked.
target_compile_definitions(weir_options INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
# Where the MPI's wrapper compiles with -pthread, as Open MPI 5's does: what is precompiled fits all sources only so.
if(MPI_C_COMPILE_OPTIONS MATCHES "-pthread")
  target_compile_options(weir_options INTERFACE -pthread)
endif()
if(WEIR_SANITIZE)
  target_compile_options(weir_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined
                                                -fno-omit-frame-pointer -D_GLIBCXX_ASSERTIONS)
  target_link_options(weir_options INTERFACE -fsanitize=address,undefined)
endif()

# What most sources include is compiled once. Every layer is position-independent, as some go into shared libraries too;
# without semantic interposition that costs nothing.
add_library(weir_headers OBJECT ${CMAKE_SOURCE_DIR}/cmake/precompiled.cpp)
target_link_libraries(weir_headers PRIVATE weir_options nlohmann_json::nlohmann_json fmt::fmt)
target_precompile_headers(weir_headers PRIVATE
  <nlohmann/json.hpp> <fmt/format.h> <algorithm> <array> <filesystem> <functional> <map> <memory> <optional> <span>
  <string> <vector>)
set_target_properties(weir_headers PROPERTIES POSITION_INDEPENDENT_CODE ON)

# weir_layer(NAME [ROOMS] [UNTIMED] [APART] DEPENDS layers... LIBRARIES external...): one layer of the house, from the
# sources of this folder; with ROOMS, of its sub-folders too; with UNTIMED, of code that runs before and after what is
# measured, and is compiled quickly instead of optimised fully; with APART, one that programs do not link unless they
# name it.
# Object libraries, since registrations are static objects that nobody names and a linker would leave out.
function(weir_layer name)
  cmake_parse_arguments(ARG "ROOMS;UNTIMED;APART" "" "DEPENDS;LIBRARIES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  if(ARG_ROOMS)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  endif()
  add_library(weir_${name} OBJECT ${sources})
  set_target_properties(weir_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_precompile_headers(weir_${name} REUSE_FROM weir_headers)
  if(ARG_UNTIMED)
    target_compile_options(weir_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  list(LENGTH sources count)
  if(count EQUAL 1)
    set_target_properties(weir_${name} PROPERTIES UNITY_BUILD OFF)
  endif()
  target_include_directories(weir_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(weir_${name} PUBLIC weir_options ${ARG_LIBRARIES})
  foreach(layer IN LISTS ARG_DEPENDS)
    target_link_libraries(weir_${name} PUBLIC weir_${layer})
  endforeach()
  if(NOT ARG_APART)
    set_property(GLOBAL APPEND PROPERTY WEIR_LAYERS weir_${name})
  endif()
endfunction()

# weir_backend(NAME LIBRARIES external...): a storage back-end, from the sources of its folder.
function(weir_backend name)
  weir_layer(backend_${name} DEPENDS storage ${ARGN})
endfunction()

# weir_backend_left_out(NAME REASON): says why this build lacks a back-end. Who asks for it is told so.
function(weir_backend_left_out name reason)
  message(STATUS "Weir: without the back-end ${name}: ${reason}")
  set(source ${CMAKE_CURRENT_BINARY_DIR}/left_out_${name}.cpp)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT [=[
#include "storage/backend.hpp"
[[maybe_unused]] static bool const registered = weir::left_out_backends().emplace("@name@", R"(@reason@)").second;
]=])
  add_library(weir_left_out_${name} OBJECT ${source})
  target_link_libraries(weir_left_out_${name} PUBLIC weir_storage)
  set_property(GLOBAL APPEND PROPERTY WEIR_LAYERS weir_left_out_${name})
endfunction()

# Links a program or test with the objects of every layer, wherever they were added.
function(weir_link_everything target)
  get_property(layers GLOBAL PROPERTY WEIR_LAYERS)
  target_link_libraries(${target} PRIVATE ${layers})
endfunction()
