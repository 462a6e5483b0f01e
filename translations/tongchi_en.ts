<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>Inventory</name>
    <message numerus="yes">
        <source>%n card(s)</source>
        <comment>on one node</comment>
        <translation>
            <numerusform>%n card</numerusform>
            <numerusform>%n cards</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n withdrawn</source>
        <comment>cards that the node does not offer</comment>
        <translation>
            <numerusform>%n withdrawn</numerusform>
            <numerusform>%n withdrawn</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n held</source>
        <comment>cards held by pods</comment>
        <translation>
            <numerusform>%n held</numerusform>
            <numerusform>%n held</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n free</source>
        <comment>cards that may be taken</comment>
        <translation>
            <numerusform>%n free</numerusform>
            <numerusform>%n free</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message numerus="yes">
        <source>%n cluster(s)</source>
        <translation>
            <numerusform>%n cluster</numerusform>
            <numerusform>%n clusters</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Terminal</name>
    <message numerus="yes">
        <source>The simulated pool of %n card(s) is ready; end it with Ctrl+C.</source>
        <translation>
            <numerusform>The simulated pool of %n card is ready; end it with Ctrl+C.</numerusform>
            <numerusform>The simulated pool of %n cards is ready; end it with Ctrl+C.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tongchi::ActionSheet</name>
    <message numerus="yes">
        <source>Undo on %n node(s)</source>
        <translation>
            <numerusform>Undo on %n node</numerusform>
            <numerusform>Undo on %n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Cordon %n node(s)</source>
        <translation>
            <numerusform>Cordon %n node</numerusform>
            <numerusform>Cordon %n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Uncordon %n node(s)</source>
        <translation>
            <numerusform>Uncordon %n node</numerusform>
            <numerusform>Uncordon %n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Remove the business label of %n node(s)</source>
        <translation>
            <numerusform>Remove the business label of %n node</numerusform>
            <numerusform>Remove the business label of %n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Label %n node(s) %1</source>
        <translation>
            <numerusform>Label %n node %1</numerusform>
            <numerusform>Label %n nodes %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Label %n node(s)</source>
        <translation>
            <numerusform>Label %n node</numerusform>
            <numerusform>Label %n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n node</numerusform>
            <numerusform>%n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n card(s)</source>
        <translation>
            <numerusform>%n card</numerusform>
            <numerusform>%n cards</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more node(s)</source>
        <translation>
            <numerusform>and %n more node</numerusform>
            <numerusform>and %n more nodes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tongchi::CardDrawer</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tongchi::ConnectionsController</name>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n node</numerusform>
            <numerusform>%n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n ResourceSlice(s)</source>
        <translation>
            <numerusform>%n ResourceSlice</numerusform>
            <numerusform>%n ResourceSlices</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Its clock is %n s ahead of this machine&apos;s.</source>
        <translation>
            <numerusform>Its clock is %n s ahead of this machine&apos;s.</numerusform>
            <numerusform>Its clock is %n s ahead of this machine&apos;s.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Its clock is %n s behind this machine&apos;s.</source>
        <translation>
            <numerusform>Its clock is %n s behind this machine&apos;s.</numerusform>
            <numerusform>Its clock is %n s behind this machine&apos;s.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tongchi::InventoryPane</name>
    <message numerus="yes">
        <source>Undone on %n node(s)</source>
        <translation>
            <numerusform>Undone on %n node</numerusform>
            <numerusform>Undone on %n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) cordoned</source>
        <translation>
            <numerusform>%n node cordoned</numerusform>
            <numerusform>%n nodes cordoned</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) uncordoned</source>
        <translation>
            <numerusform>%n node uncordoned</numerusform>
            <numerusform>%n nodes uncordoned</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) labelled</source>
        <translation>
            <numerusform>%n node labelled</numerusform>
            <numerusform>%n nodes labelled</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) not changed.</source>
        <translation>
            <numerusform>%n node not changed.</numerusform>
            <numerusform>%n nodes not changed.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n card(s) written to %1</source>
        <translation>
            <numerusform>%n card written to %1</numerusform>
            <numerusform>%n cards written to %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tongchi::MainWindow</name>
    <message numerus="yes">
        <source>%n selected</source>
        <translation>
            <numerusform>%n selected</numerusform>
            <numerusform>%n selected</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n card(s) selected</source>
        <translation>
            <numerusform>%n card selected</numerusform>
            <numerusform>%n cards selected</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n card(s)</source>
        <extracomment>Node found by the palette: how many cards it has.</extracomment>
        <translation>
            <numerusform>%n card</numerusform>
            <numerusform>%n cards</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tongchi::OrderPill</name>
    <message numerus="yes">
        <source>%n row(s) would move</source>
        <translation>
            <numerusform>%n row would move</numerusform>
            <numerusform>%n rows would move</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tongchi::SelectionBar</name>
    <message numerus="yes">
        <source>%n selected</source>
        <translation>
            <numerusform>%n selected</numerusform>
            <numerusform>%n selected</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n node</numerusform>
            <numerusform>%n nodes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tongchi::TopBar</name>
    <message numerus="yes">
        <source>%n region(s)</source>
        <translation>
            <numerusform>%n region</numerusform>
            <numerusform>%n regions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Live: %1 of %n cluster(s)</source>
        <extracomment>In the top bar, when some clusters do not answer: 2 of 3 clusters.</extracomment>
        <translation>
            <numerusform>Live: %1 of %n cluster</numerusform>
            <numerusform>Live: %1 of %n clusters</numerusform>
        </translation>
    </message>
</context>
</TS>
