# Sets `sources` to all C++ files of the product's folders, relative to SOURCE_DIR.
set(sources)
foreach(folder app ui widgets models platform)
    file(GLOB_RECURSE found RELATIVE ${SOURCE_DIR} ${SOURCE_DIR}/${folder}/*.cpp ${SOURCE_DIR}/${folder}/*.h)
    list(APPEND sources ${found})
endforeach()
