// A static library needs one source of its own; everything of interest is in the compiled resource beside it.
namespace tongchi {
extern const char resourcePrefix[];
const char resourcePrefix[] = ":/tongchi/";
} // namespace tongchi
