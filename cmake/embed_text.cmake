# SPDX-License-Identifier: Apache-2.0
# cmake -DINPUT=... -DOUTPUT=... -DHEADER=... -DNAME=namespace::kName -P embed_text.cmake
# Writes a C++ source that defines std::string_view NAME as the text of INPUT. String literals are
# limited in length, so the text is a list of characters.
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "((0x..,){20})" "\\1\n" bytes "${bytes}")
string(REGEX MATCH "^(.*)::([^:]*)$" matched ${NAME})
file(WRITE ${OUTPUT} "#include \"${HEADER}\"\n\nnamespace ${CMAKE_MATCH_1} {\n\nnamespace {\n"
  "constexpr char ${CMAKE_MATCH_2}Text[] = {\n${bytes}};\n}  // namespace\n\n"
  "const std::string_view ${CMAKE_MATCH_2}(${CMAKE_MATCH_2}Text, sizeof ${CMAKE_MATCH_2}Text);\n\n"
  "}  // namespace ${CMAKE_MATCH_1}\n")
