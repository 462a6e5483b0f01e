#include "models/inventory/card_condition.h"

#include "models/inventory/inventory_text.h"
#include "platform/core/text_encoding.h"

namespace tongchi {
const char *conditionKey(CardCondition condition)
{
    switch (condition) {
    case CardCondition::Offline:
        return "offline";
    case CardCondition::Fault:
        return "fault";
    case CardCondition::OutOfService:
        return "out_of_service";
    case CardCondition::Hot:
        return "hot";
    case CardCondition::Cordoned:
        return "cordoned";
    case CardCondition::Tainted:
        return "tainted";
    case CardCondition::Healthy:
        return "healthy";
    case CardCondition::NotReported:
        return "not_reported";
    }
    return "";
}

QString conditionText(CardCondition condition)
{
    switch (condition) {
    //: Health of a card: its node is not ready or silent.
    case CardCondition::Offline:
        return InventoryText::tr("Offline");
    //: Health of a card: a source calls it unhealthy.
    case CardCondition::Fault:
        return InventoryText::tr("Fault");
    //: Health of a card: taken out of service by hand.
    case CardCondition::OutOfService:
        return InventoryText::tr("Out of service");
    //: Health of a card: temperature close to throttling.
    case CardCondition::Hot:
        return InventoryText::tr("Hot");
    //: Health of a card: its node takes no new work.
    case CardCondition::Cordoned:
        return InventoryText::tr("Cordoned");
    //: Health of a card: a taint keeps work off its node.
    case CardCondition::Tainted:
        return InventoryText::tr("Tainted");
    //: Health of a card.
    case CardCondition::Healthy:
        return InventoryText::tr("Healthy");
    //: Health of a card: no source says anything.
    case CardCondition::NotReported:
        return InventoryText::tr("Not reported");
    }
    return {};
}

float hotThresholdCelsius(std::string_view model)
{
    return model == "RTX 4090" ? 78.0F : 80.0F;
}

CardCondition conditionOf(const CardStore &store, CardIndex card)
{
    const NodeUsability usability = store.node(store.nodeIndexOf(card)).facts.usability;
    if (usability == NodeUsability::NotReady || usability == NodeUsability::NoContact)
        return CardCondition::Offline;
    const CardHealth health = store.healthOf(card);
    if (health == CardHealth::Unhealthy)
        return CardCondition::Fault;
    if (store.flagsOf(card).testFlag(CardFlag::OutOfService))
        return CardCondition::OutOfService;
    const float temperature = store.temperatureOf(card);
    if (temperature >= 78.0F &&
        temperature >= hotThresholdCelsius(store.strings().utf8(store.model(store.modelIndexOf(card)).model)))
        return CardCondition::Hot;
    if (usability == NodeUsability::Cordoned)
        return CardCondition::Cordoned;
    if (usability == NodeUsability::Tainted)
        return CardCondition::Tainted;
    return health == CardHealth::Healthy ? CardCondition::Healthy : CardCondition::NotReported;
}

bool isSchedulable(const CardStore &store, CardIndex card)
{
    return store.node(store.nodeIndexOf(card)).facts.usability == NodeUsability::Usable &&
           store.healthOf(card) != CardHealth::Unhealthy &&
           !store.flagsOf(card).testFlag(CardFlag::OutOfService);
}

QString labelText(BusinessLabel label)
{
    switch (label) {
    case BusinessLabel::Unknown:
        return QStringLiteral("\u2014");
    //: Business label: nothing runs on the card.
    case BusinessLabel::Idle:
        return InventoryText::tr("Idle");
    //: Business label.
    case BusinessLabel::Inference:
        return InventoryText::tr("Inference");
    //: Business label.
    case BusinessLabel::Training:
        return InventoryText::tr("Training");
    //: Business label: inference and training on one card.
    case BusinessLabel::Mixed:
        return InventoryText::tr("Mixed");
    }
    return {};
}

QString vendorText(Vendor vendor, const QString &vendorName)
{
    switch (vendor) {
    case Vendor::Nvidia:
        return QStringLiteral("NVIDIA");
    //: Vendor of accelerator cards (Huawei Ascend).
    case Vendor::Ascend:
        return InventoryText::tr("Ascend");
    //: Vendor of accelerator cards.
    case Vendor::Cambricon:
        return InventoryText::tr("Cambricon");
    case Vendor::Other:
        return visibleText(vendorName);
    }
    return {};
}

QString usabilityText(NodeUsability usability)
{
    switch (usability) {
    //: State of a node: new work may be placed on it.
    case NodeUsability::Usable:
        return InventoryText::tr("Usable");
    //: State of a node.
    case NodeUsability::Cordoned:
        return InventoryText::tr("Cordoned");
    //: State of a node: a taint keeps work off it.
    case NodeUsability::Tainted:
        return InventoryText::tr("Tainted");
    //: State of a node: Kubernetes condition Ready is False.
    case NodeUsability::NotReady:
        return InventoryText::tr("Not ready");
    //: State of a node: Kubernetes condition Ready is Unknown.
    case NodeUsability::NoContact:
        return InventoryText::tr("No contact");
    }
    return {};
}

QString flagText(CardFlag flag)
{
    switch (flag) {
    case CardFlag::SameUuidElsewhere:
        return InventoryText::tr("Another node reports a card with the same UUID.");
    case CardFlag::LabelDiffers:
        return InventoryText::tr("It runs another kind of work than its node is kept for.");
    case CardFlag::MoreHeldThanAllocatable:
        return InventoryText::tr("Pods hold more cards of this node than it offers.");
    case CardFlag::Withdrawn:
        return InventoryText::tr("The device plugin of this node offers fewer cards than the node has.");
    case CardFlag::RegistrationStale:
        return InventoryText::tr("The HAMi registration is left over: its device plugin no longer answers.");
    case CardFlag::RegistrationUnreadable:
        return InventoryText::tr("A HAMi registration entry could not be read.");
    case CardFlag::MemoryScaled:
        return InventoryText::tr(
            "Only an over-subscribed memory figure is known, so its own memory is not shown.");
    case CardFlag::SeveralExporters:
        return InventoryText::tr("Two exporters report this card; the freshest value is shown.");
    case CardFlag::ModelsDiffer:
        return InventoryText::tr("The sources name different models.");
    case CardFlag::MemoryDiffers:
        return InventoryText::tr("The sources name different memory sizes.");
    case CardFlag::HealthDiffers:
        return InventoryText::tr("Kubernetes lends this card while another source calls it faulty.");
    case CardFlag::DeviceTaint:
        return InventoryText::tr("A taint stands on this device.");
    case CardFlag::OutOfService:
        return InventoryText::tr("This card was taken out of service by hand.");
    case CardFlag::AmountUnreadable:
        return InventoryText::tr("The number of cards of this node could not be read.");
    case CardFlag::ErrorReported:
        return InventoryText::tr("The driver has reported an error since it started; it may be long past.");
    case CardFlag::ClockSkewed:
        return InventoryText::tr(
            "The clock of its metrics source differs from this machine's by 30 s or more.");
    }
    return {};
}

QString regionText(const QString &region)
{
    // The regions of the demo pool; an operator's own regions are data and stay as they are.
    if (region == QLatin1String("beijing"))
        return InventoryText::tr("Beijing");
    if (region == QLatin1String("ulanqab"))
        return InventoryText::tr("Ulanqab");
    if (region == QLatin1String("guiyang"))
        return InventoryText::tr("Guiyang");
    if (region == QLatin1String("shenzhen"))
        return InventoryText::tr("Shenzhen");
    return visibleText(region);
}

} // namespace tongchi
