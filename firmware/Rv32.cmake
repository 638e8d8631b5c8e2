# Images for the soft core (RV32), by Debian's gcc and picolibc; with LIGHTLOOP_SOC=OFF there are none, and no device soc.
option(LIGHTLOOP_SOC "Build the firmware's image and device soc" ON)
if(NOT LIGHTLOOP_SOC)
  return()
endif()

find_program(RV32_GCC riscv64-unknown-elf-gcc)
if(NOT RV32_GCC)
  message(FATAL_ERROR "Device soc needs riscv64-unknown-elf-gcc, which isn't there: run tools/setup (Debian packages "
                      "gcc-riscv64-unknown-elf and picolibc-riscv64-unknown-elf), or configure with -DLIGHTLOOP_SOC=OFF")
endif()
execute_process(COMMAND ${RV32_GCC} --specs=picolibc.specs -march=rv32im -mabi=ilp32 -include stdio.h -E -x c /dev/null
                RESULT_VARIABLE without_picolibc OUTPUT_QUIET ERROR_QUIET)
if(without_picolibc)
  message(FATAL_ERROR "Device soc needs picolibc, which riscv64-unknown-elf-gcc doesn't find: run tools/setup (Debian "
                      "package picolibc-riscv64-unknown-elf), or configure with -DLIGHTLOOP_SOC=OFF")
endif()

# For ocs_firmware(), wherever it is called.
set(OCS_RV32 --specs=picolibc.specs -march=rv32im -mabi=ilp32 -O3 -flto CACHE INTERNAL "Flags of the soft core")
set(OCS_RV32_C -std=c11 -ffunction-sections -fdata-sections -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Werror
    -I${CMAKE_CURRENT_SOURCE_DIR} -I${CMAKE_CURRENT_SOURCE_DIR}/rv32 -I${CMAKE_SOURCE_DIR} -I${CMAKE_SOURCE_DIR}/rtl/regs/generated
    CACHE INTERNAL "Flags of its C code")
file(GLOB_RECURSE headers ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
set(OCS_RV32_HEADERS ${headers} CACHE INTERNAL "What its sources may include")
set(OCS_RV32_BOOT ${CMAKE_CURRENT_BINARY_DIR}/boot CACHE INTERNAL "Boot code, without extension")

if(NOT TARGET ocs_seal_image)
  add_executable(ocs_seal_image rv32/seal_image.cpp)
  target_link_libraries(ocs_seal_image PRIVATE ocs_flags)
endif()

set(boot ${OCS_RV32_BOOT})
add_custom_command(OUTPUT ${boot}.bin DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/rv32/boot.S ${headers}
  COMMAND ${RV32_GCC} -march=rv32im -mabi=ilp32 -I${CMAKE_CURRENT_SOURCE_DIR} -nostdlib -Wl,-Ttext=0x10000000
          ${CMAKE_CURRENT_SOURCE_DIR}/rv32/boot.S -o ${boot}.elf
  COMMAND riscv64-unknown-elf-objcopy -O binary ${boot}.elf ${boot}.bin
  COMMENT "Boot code of the soft core" VERBATIM)
add_custom_target(ocs_boot_code DEPENDS ${boot}.bin)

# ocs_firmware(NAME FUNCTION SOURCES...): library NAME with `FirmwareImage FUNCTION()`. Sources are C, paths absolute.
function(ocs_firmware name function)
  set(base ${CMAKE_CURRENT_BINARY_DIR}/${name})
  set(objects)
  foreach(source ${ARGN})
    get_filename_component(stem ${source} NAME_WE)
    set(object ${base}.${stem}.o)
    add_custom_command(OUTPUT ${object} DEPENDS ${source} ${OCS_RV32_HEADERS}
      COMMAND ${RV32_GCC} ${OCS_RV32} ${OCS_RV32_C} -c ${source} -o ${object}
      COMMENT "RV32 ${stem}" VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  set(start ${CMAKE_SOURCE_DIR}/firmware/rv32/start.S)
  set(script ${CMAKE_SOURCE_DIR}/firmware/rv32/image.ld)
  add_custom_command(OUTPUT ${base}.cpp DEPENDS ${objects} ${start} ${script} ocs_boot_code ocs_seal_image
    COMMAND ${RV32_GCC} ${OCS_RV32} -nostartfiles -Wl,--gc-sections -Wl,--no-warn-rwx-segments -T ${script} ${start} ${objects} -o ${base}.elf
    COMMAND riscv64-unknown-elf-objcopy -O binary ${base}.elf ${base}.bin
    COMMAND riscv64-unknown-elf-nm -n ${base}.elf > ${base}.symbols
    COMMAND ocs_seal_image ${base}.bin ${OCS_RV32_BOOT}.bin ${base}.symbols ${function} ${base}.cpp
    COMMENT "Firmware image ${name}")
  ocs_library(${name} ${base}.cpp)
endfunction()

set(rv32_app ocs_app.c ocs_circuits.c ocs_commands.c ocs_frames.c ocs_maps.c ocs_optics.c ocs_dev.c rv32/soc.c rv32/main.c)
list(TRANSFORM rv32_app PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
ocs_firmware(ocs_switch_firmware switch_firmware ${rv32_app})
