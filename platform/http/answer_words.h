#pragma once

#include <QString>
#include <string_view>

namespace tongchi {

/// What an error's body says in its own words, whoever wrote it: a short plain text, a bare JSON string, or
/// the message of a JSON object ({"message"}, {"error"}, {"error": {"message"}}, {"detail"}). In one line,
/// cut to 500 characters, ready to be shown. Empty for pages (HTML, XML), for long texts and for what holds
/// no words: a page may hold anything, and nothing of it is worth quoting.
QString wordsOfAnswer(std::string_view body);

} // namespace tongchi
