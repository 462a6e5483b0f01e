#pragma once

#include "platform/inventory/card_store.h"

namespace tongchi {

/// The one word of the health column: what an operator has to know first about a card. Strongest first.
enum class CardCondition : std::uint8_t {
    Offline,
    Fault,
    OutOfService,
    Hot,
    Cordoned,
    Tainted,
    Healthy,
    NotReported
};
constexpr int cardConditionCount = 8;

/// Canonical filter value and JSON-like key: "offline", "fault", "out_of_service", "hot", "cordoned",
/// "tainted", "healthy", "not_reported".
const char *conditionKey(CardCondition condition);
/// The word on screen, translated.
QString conditionText(CardCondition condition);

/// Above this a card is called hot: a few degrees below where the vendor's driver starts to throttle (83 °C
/// for GeForce boards, 85 to 90 °C for data-centre boards and the Ascend 910B).
float hotThresholdCelsius(std::string_view model);

CardCondition conditionOf(const CardStore &store, CardIndex card);

/// May new work be placed on it? False on a cordoned, tainted or silent node and on a faulty card.
bool isSchedulable(const CardStore &store, CardIndex card);

QString labelText(BusinessLabel label); ///< translated: Inference, Training, Mixed, Idle; Unknown: a dash
QString vendorText(Vendor vendor,
                   const QString &vendorName); ///< translated: NVIDIA, Ascend, Cambricon, or the name
QString usabilityText(NodeUsability usability);
/// One translated sentence about a flag, for the drawer and tooltips.
QString flagText(CardFlag flag);
/// Regions with a name in the interface's language ("beijing" -> Beijing or 北京); others as they are.
QString regionText(const QString &region);

} // namespace tongchi
