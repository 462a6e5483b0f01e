# Calls that this code base does without, each with its reason.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/sources.cmake)

set(rules
    "QMessageBox|dialogs are our own and never block"
    "[^a-zA-Z_]SIGNAL\\(|connect by member pointer"
    "[^a-zA-Z_]SLOT\\(|connect by member pointer"
    "[^a-zA-Z_]sender\\(\\)|capture what you need"
    "processEvents\\(|no nested event loops"
    "QEventLoop|no nested event loops"
    "waitForFinished\\(|the GUI thread never waits"
    "waitForConnected\\(|the GUI thread never waits"
    "QThread::sleep|no sleeps"
    "QThread::msleep|no sleeps"
    "usleep\\(|no sleeps"
    "sleep_for\\(|no sleeps"
    "tr\\(\" |no leading blank in a text"
    "setTextFormat\\(Qt::RichText|texts from outside are plain"
    "std::stod\\(|wire numbers are read without locale"
    "strtod\\(|wire numbers are read without locale"
    "ignoreSslErrors\\(\\)|certificates are checked")
set(failures 0)
foreach(source IN LISTS sources)
    file(STRINGS ${SOURCE_DIR}/${source} lines ENCODING UTF-8 REGEX
         "QMessageBox|SIGNAL\\(|SLOT\\(|sender\\(\\)|processEvents|QEventLoop|waitFor|sleep|tr\\(\" |RichText|std::stod|strtod|ignoreSslErrors")
    foreach(line IN LISTS lines)
        if(line MATCHES "^ *(//|\\*)")
            continue()
        endif()
        foreach(rule IN LISTS rules)
            string(REGEX REPLACE "\\|.*" "" pattern "${rule}")
            string(REGEX REPLACE "^[^|]*\\|" "" reason "${rule}")
            if(line MATCHES "${pattern}")
                message("${source}: ${line}\n    ${reason}")
                math(EXPR failures "${failures} + 1")
            endif()
        endforeach()
    endforeach()
endforeach()
if(failures)
    message(FATAL_ERROR "${failures} banned calls")
endif()
message("no banned call")
