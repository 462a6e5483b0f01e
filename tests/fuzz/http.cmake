tongchi_add_fuzz(http_parser_fuzz SOURCES http_parser_fuzz.cpp DEPENDS http)
tongchi_add_fuzz(inflate_fuzz SOURCES inflate_fuzz.cpp DEPENDS http)
