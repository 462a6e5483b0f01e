#include "platform/core/text_encoding.h"

#include <QStringConverter>
#include <QtCore/qcoreapplication.h>

namespace tongchi {

qsizetype firstInvalidUtf8(const QByteArray &bytes)
{
    const auto *data = reinterpret_cast<const unsigned char *>(bytes.constData());
    const qsizetype size = bytes.size();
    for (qsizetype i = 0; i < size;) {
        const unsigned char lead = data[i];
        if (lead < 0x80) {
            ++i;
            continue;
        }
        int length = 0;
        unsigned lowest = 0x80;
        unsigned highest = 0xBF;
        if (lead >= 0xC2 && lead <= 0xDF) {
            length = 1;
        } else if (lead >= 0xE0 && lead <= 0xEF) {
            length = 2;
            if (lead == 0xE0)
                lowest = 0xA0;
            if (lead == 0xED)
                highest = 0x9F; // surrogates
        } else if (lead >= 0xF0 && lead <= 0xF4) {
            length = 3;
            if (lead == 0xF0)
                lowest = 0x90;
            if (lead == 0xF4)
                highest = 0x8F;
        } else {
            return i;
        }
        for (int k = 1; k <= length; ++k) {
            if (i + k >= size || data[i + k] < (k == 1 ? lowest : 0x80) ||
                data[i + k] > (k == 1 ? highest : 0xBF))
                return i;
        }
        i += length + 1;
    }
    return -1;
}

namespace {

Result<DecodedText> decodeUtf16(const QByteArray &bytes, TextEncoding encoding, const QString &subject)
{
    QStringDecoder decoder(encoding == TextEncoding::Utf16LittleEndian ? QStringDecoder::Utf16LE
                                                                       : QStringDecoder::Utf16BE,
                           QStringDecoder::Flag::Stateless);
    const QString text = decoder.decode(QByteArrayView(bytes).sliced(2));
    if (decoder.hasError() || bytes.size() % 2 != 0) {
        return failure(
            {.code = ErrorCode::Invalid,
             .text = QT_TRANSLATE_NOOP("Error", "The file starts like UTF-16 but is not valid UTF-16."),
             .remedy = QT_TRANSLATE_NOOP("Error", "Save the file as UTF-8 and load it again."),
             .subject = subject});
    }
    return DecodedText{text.toUtf8(), encoding};
}

} // namespace

Result<DecodedText> decodeText(const QByteArray &bytes, const QString &subject)
{
    if (bytes.startsWith("\xFF\xFE"))
        return decodeUtf16(bytes, TextEncoding::Utf16LittleEndian, subject);
    if (bytes.startsWith("\xFE\xFF"))
        return decodeUtf16(bytes, TextEncoding::Utf16BigEndian, subject);
    const qsizetype bad = firstInvalidUtf8(bytes);
    if (bad >= 0) {
        return failure({.code = ErrorCode::Invalid,
                        .text = QT_TRANSLATE_NOOP(
                            "Error", "The text is neither UTF-8 nor UTF-16: byte %1 fits neither."),
                        .arguments = {QString::number(bad)},
                        .remedy = QT_TRANSLATE_NOOP("Error", "Save the file as UTF-8 and load it again."),
                        .subject = subject});
    }
    if (bytes.startsWith("\xEF\xBB\xBF"))
        return DecodedText{bytes.mid(3), TextEncoding::Utf8WithMark};
    return DecodedText{bytes, TextEncoding::Utf8};
}

QString visibleText(const QString &text)
{
    QString result;
    result.reserve(text.size());
    for (const QChar c : text) {
        const ushort code = c.unicode();
        if (code < 0x20)
            result += QChar(0x2400 + code);
        else if (code == 0x7F)
            result += QChar(0x2421);
        else if ((code >= 0x80 && code < 0xA0) || (code >= 0x202A && code <= 0x202E) ||
                 (code >= 0x2066 && code <= 0x2069) || code == 0x200E || code == 0x200F || code == 0x061C ||
                 code == 0x2028 || code == 0x2029 || code == 0xFEFF)
            result += QChar(0xFFFD);
        else
            result += c;
    }
    return result;
}

} // namespace tongchi
