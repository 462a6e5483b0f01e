#include "tests/widgets/sample_table.h"

namespace tongchi::test {

namespace {

struct SampleModel
{
    const char *name;
    const char *code;
    const char *icon;
    Tone tone;
    int memory;
};
constexpr SampleModel models[] = {
    {"Ascend 910B", "910b", "vendor-ascend", Tone::Ascend, 64},
    {"RTX 4090", "4090", "vendor-nvidia", Tone::Nvidia, 24},
    {"H100", "h100", "vendor-nvidia", Tone::Nvidia, 80},
    {"A100", "a100", "vendor-nvidia", Tone::Nvidia, 80},
    {"MLU370-X8", "mlu", "vendor-cambricon", Tone::Cambricon, 48},
    {"T4", "t4", "vendor-nvidia", Tone::Nvidia, 16},
    {"Kunlun P800", "p800", "vendor-other", Tone::OtherVendor, 96},
};
struct SampleLabel
{
    const char *name;
    const char *icon;
    Tone tone;
};
constexpr SampleLabel labels[] = {{"Inference", "label-inference", Tone::Inference},
                                  {"Training", "label-training", Tone::Training},
                                  {"Mixed", "label-mixed", Tone::Mixed},
                                  {"Idle", "label-idle", Tone::Idle}};
const char *const workloads[] = {"deepseek-r1-32b + sft-kefu-13b",
                                 "qwen2.5-72b-chat",
                                 "pretrain-7b-cn",
                                 "glm-4-9b-chat",
                                 "bge-reranker-v2",
                                 "sdxl-turbo"};

unsigned hashOf(unsigned value)
{
    value ^= value >> 16;
    value *= 0x7feb352dU;
    value ^= value >> 15;
    value *= 0x846ca68bU;
    return value ^ (value >> 16);
}

QString latin(const char *text)
{
    return QString::fromLatin1(text);
}

} // namespace

SampleTable::SampleTable(int rows, QObject *parent) : QAbstractTableModel(parent), m_count(rows) {}

SampleTable::Row SampleTable::row(int number) const
{
    const unsigned h = hashOf(unsigned(number) + 17U);
    Row row{};
    row.model = int(h % std::size(models));
    row.label = int((h >> 4) % std::size(labels));
    row.utilization = row.label == 3 ? int((h >> 8) % 5) : int((h >> 8) % 101);
    row.utilization = qBound(0, row.utilization + int(hashOf(h + unsigned(m_step)) % 5) * (m_step > 0), 100);
    row.temperature = 30 + row.utilization * 45 / 100;
    row.watts = 60 + row.utilization * 4;
    row.age = number % 23 == 21 ? 120 : 1 + int((h >> 20) % 3);
    row.node = m_names.value(number, QStringLiteral("bj-%1-%2")
                                         .arg(latin(models[row.model].code))
                                         .arg(number / 8, 3, 10, QLatin1Char('0')));
    return row;
}

CellPaint SampleTable::cell(const QModelIndex &index) const
{
    const Row r = row(index.row());
    CellPaint cell;
    const bool stale = r.age > 90;
    switch (index.column()) {
    case Card:
        cell.kind = CellKind::Strong;
        cell.text = latin(models[r.model].name);
        cell.icon = models[r.model].icon;
        cell.iconTone = models[r.model].tone;
        break;
    case Node:
        cell.tone = Tone::Secondary;
        cell.text = r.node + QStringLiteral(" / ") + QString::number(index.row() % 8);
        break;
    case Region:
        cell.tone = Tone::Secondary;
        cell.text = QStringLiteral("Beijing");
        break;
    case Label:
        cell.kind = CellKind::Chip;
        cell.text = latin(labels[r.label].name);
        cell.icon = labels[r.label].icon;
        cell.tone = labels[r.label].tone;
        cell.pending = index.row() % 17 == 9;
        break;
    case Utilization: {
        cell.kind = CellKind::Utilization;
        cell.dimmed = stale;
        if (index.row() % 31 == 30) {
            cell.text = QStringLiteral("Offline");
            cell.icon = "status-offline";
            cell.struck = true;
            break;
        }
        cell.text = QString::number(r.utilization) + u'%';
        cell.fraction = float(r.utilization) / 100;
        for (unsigned i = 0; i < 60; ++i)
            cell.sparkline.append(
                char(qBound(0, r.utilization + int(hashOf(i + unsigned(index.row() * 61)) % 7) - 3, 100)));
        if (index.row() % 11 == 5)
            cell.sparkline.replace(20, 10, QByteArray(10, char(255)));
        break;
    }
    case Memory: {
        cell.kind = CellKind::Memory;
        cell.dimmed = stale;
        const double used = models[r.model].memory * (0.1 + r.utilization / 115.0);
        cell.text = QString::number(used, 'f', 1);
        cell.unit = QStringLiteral("/ %1 GB").arg(models[r.model].memory);
        cell.fraction = float(used / models[r.model].memory);
        break;
    }
    case Temperature:
        cell.kind = CellKind::Number;
        cell.tone = r.temperature > 71 ? Tone::Warn : Tone::Secondary;
        cell.text = QString::number(r.temperature);
        cell.unit = QStringLiteral("°C");
        break;
    case Power:
        cell.kind = CellKind::Number;
        cell.tone = Tone::Secondary;
        cell.text = QString::number(r.watts);
        cell.unit = QStringLiteral("W");
        break;
    case Health:
        cell.kind = CellKind::Word;
        cell.tone = Tone::Secondary;
        cell.text = QStringLiteral("Healthy");
        if (r.temperature > 71) {
            cell.tone = cell.iconTone = Tone::Warn;
            cell.icon = "status-warning";
            cell.text = QStringLiteral("Hot");
        }
        break;
    case Workload:
        cell.text = r.label == 3 ? QString() : latin(workloads[unsigned(index.row()) % std::size(workloads)]);
        break;
    case Age:
        cell.kind = CellKind::Age;
        cell.tone = stale ? Tone::Warn : Tone::Tertiary;
        cell.text = stale ? QStringLiteral("2 min") : QStringLiteral("%1 s").arg(r.age);
        break;
    default:
        break;
    }
    return cell;
}

QVariant SampleTable::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const CellPaint shown = cell(index);
    if (role == Qt::DisplayRole)
        return shown.unit.isEmpty() ? shown.text : QString(shown.text + u' ' + shown.unit);
    if (role == Qt::ToolTipRole && index.column() == Node)
        return shown.text;
    return {};
}

QVariant SampleTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    static const char *const titles[] = {"Card", "Node / slot", "Region", "Label",    "Utilisation", "Memory",
                                         "Temp", "Power",       "Health", "Workload", "Age"};
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= ColumnCount)
        return {};
    return latin(titles[section]);
}

void SampleTable::sort(int column, Qt::SortOrder)
{
    sortedBy = column;
}

std::vector<ColumnSpec> SampleTable::columns()
{
    return {
        {.key = QStringLiteral("card"), .width = 118},
        {.key = QStringLiteral("node"), .width = 120},
        {.key = QStringLiteral("region"), .width = 72, .dropRank = 2},
        {.key = QStringLiteral("label"), .width = 92},
        {.key = QStringLiteral("utilization"), .width = 172},
        {.key = QStringLiteral("memory"), .width = 134, .dropRank = 5, .narrowWidth = 98},
        {.key = QStringLiteral("temperature"), .width = 66, .dropRank = 3, .alignRight = true},
        {.key = QStringLiteral("power"), .width = 58, .dropRank = 1, .alignRight = true},
        {.key = QStringLiteral("health"), .width = 88},
        {.key = QStringLiteral("workload"), .width = 120, .stretch = 1, .dropRank = 4},
        {.key = QStringLiteral("age"), .width = 52, .alignRight = true},
    };
}

void SampleTable::step()
{
    ++m_step;
    Q_EMIT dataChanged(index(0, 0), index(m_count - 1, ColumnCount - 1));
}

void SampleTable::setNodeName(int row, const QString &name)
{
    m_names.insert(row, name);
    Q_EMIT dataChanged(index(row, Node), index(row, Node));
}

void SampleTable::removeFirst(int rows)
{
    beginRemoveRows({}, 0, rows - 1);
    m_count -= rows;
    endRemoveRows();
}

} // namespace tongchi::test
