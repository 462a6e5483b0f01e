#pragma once

#include <QCoreApplication>

namespace tongchi {

/// The translation context of everything said about cards: InventoryText::tr("Offline").
struct InventoryText
{
    Q_DECLARE_TR_FUNCTIONS(Inventory)
};

} // namespace tongchi
