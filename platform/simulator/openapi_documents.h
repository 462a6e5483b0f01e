#pragma once

#include <QByteArray>

namespace tongchi::simulator {

/// The index of /openapi/v3.
QByteArray openApiIndex();

/// What the index adds to a document's address, and its tag: another content would have another.
QByteArray openApiHash(const QByteArray &groupVersionPath);

/// The document of "api/v1" or "apis/GROUP/VERSION": paths with the parameters that clients look for (dryRun,
/// fieldValidation, ...) and the kinds' schemas; empty when there is no such group. Made at the first request
/// and kept.
QByteArray openApiDocument(const QByteArray &groupVersionPath);

} // namespace tongchi::simulator
