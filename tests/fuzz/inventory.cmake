tongchi_add_fuzz(hami_text_fuzz SOURCES hami_text_fuzz.cpp DEPENDS inventory)
