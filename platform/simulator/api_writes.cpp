#include "platform/simulator/api_writes.h"

#include "platform/simulator/api_reads.h"
#include "platform/simulator/certificate_authority.h"
#include "platform/simulator/cluster_store.h"
#include "platform/simulator/managed_fields.h"
#include "platform/simulator/object_defaults.h"
#include "platform/simulator/object_patch.h"
#include "platform/simulator/object_rules.h"
#include "platform/simulator/object_schema.h"
#include "platform/simulator/object_text.h"
#include "platform/simulator/object_validation.h"
#include "platform/simulator/request_body.h"
#include "platform/simulator/yaml_body.h"

namespace tongchi::simulator {

struct ApiWrites::Options
{
    bool dryRun = false;
    bool strict = false;
    bool warn = true;
    bool force = false;
    QByteArray fieldManager;
    std::vector<QByteArray> warnings; ///< texts for Warning headers
};

namespace {

constexpr const char *modifiedMeanwhile =
    "the object has been modified; please apply your changes to the latest version and try again";

/// "kubectl/v1.32 (linux)" writes as "kubectl".
QByteArray managerFromAgent(const ApiCall &call)
{
    QByteArray agent = call.http().header("user-agent");
    const qsizetype slash = agent.indexOf('/');
    agent = slash < 0 ? agent : agent.left(slash);
    return agent.isEmpty() ? QByteArray("unknown") : agent.left(128);
}

ApiError unsupportedMedia()
{
    return {.code = 415,
            .reason = "UnsupportedMediaType",
            .message = "415: Unsupported Media Type",
            .details = "{}"};
}

ApiError patchInvalid(const QByteArray &shown, const QByteArray &problem)
{
    return invalid({}, {}, {},
                   {{"FieldValueInvalid", "Invalid value: " + quoted(shown) + ": " + problem, "patch"}});
}

ApiError unprocessable()
{
    return {.code = 422,
            .reason = "Invalid",
            .message = "the server rejected our request due to an error in our request",
            .details = "{}"};
}

bool hasStatusPart(const ResourceType &type)
{
    return QByteArrayView(type.subresources).contains("status|");
}

/// A main endpoint cannot write the status, and the status endpoint nothing else.
void keepOtherPart(JsonValue &object, const JsonValue &live, const ApiCall &call)
{
    if (!hasStatusPart(*call.type))
        return;
    if (call.subresource == "status") {
        JsonValue status = object.find("status") ? *object.find("status") : JsonValue();
        JsonValue metadata = *object.find("metadata"); // labels and annotations can be written this way too
        object = live;
        object.set("metadata", std::move(metadata));
        if (!status.isNull())
            object.set("status", std::move(status));
    } else if (const JsonValue *status = live.find("status")) {
        object.set("status", *status);
    } else {
        object.remove("status");
    }
}

std::optional<ApiError> managerProblem(const QByteArray &manager, const char *optionsKind)
{
    if (manager.size() > 128)
        return optionsInvalid(
            optionsKind, {"FieldValueTooLong", "Too long: may not be more than 128 bytes", "fieldManager"});
    const QString text = QString::fromUtf8(manager);
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (!text.at(i).isPrint())
            return optionsInvalid(
                optionsKind,
                {"FieldValueInvalid",
                 "Invalid value: " + quoted(manager) + ": invalid character U+" +
                     QByteArray::number(text.at(i).unicode(), 16).toUpper().rightJustified(4, '0') +
                     " (at position " + QByteArray::number(i) + ')',
                 "fieldManager"});
    }
    return std::nullopt;
}

bool sameButBookkeeping(JsonValue a, JsonValue b)
{
    for (JsonValue *value : {&a, &b}) {
        if (JsonValue *metadata = value->find("metadata")) {
            metadata->remove("managedFields");
            metadata->remove("resourceVersion");
        }
    }
    return a == b;
}

bool sameSpec(const JsonValue &a, const JsonValue &b)
{
    const JsonValue *left = a.find("spec");
    const JsonValue *right = b.find("spec");
    return (left ? *left : JsonValue()) == (right ? *right : JsonValue());
}

} // namespace

ApiResult<ApiWrites::Options> ApiWrites::readOptions(const ApiCall &call, const char *optionsKind) const
{
    Options options;
    const QByteArray dryRun = call.parameter("dryRun");
    if (!dryRun.isEmpty() && dryRun != "All")
        return apiFailure(optionsInvalid(
            optionsKind,
            {"FieldValueNotSupported",
             "Unsupported value: [" + quoted(dryRun) + "]: supported values: \"All\"", "dryRun"}));
    options.dryRun = !dryRun.isEmpty();
    const QByteArray validation = call.parameter("fieldValidation");
    if (!validation.isEmpty() && validation != "Strict" && validation != "Warn" && validation != "Ignore")
        return apiFailure(
            optionsInvalid(optionsKind, {"FieldValueNotSupported",
                                         "Unsupported value: " + quoted(validation) +
                                             ": supported values: \"\", \"Ignore\", \"Strict\", \"Warn\"",
                                         "fieldValidation"}));
    options.strict = validation == "Strict";
    options.warn = validation != "Ignore";
    options.fieldManager = call.parameter("fieldManager");
    if (auto refused = managerProblem(options.fieldManager, optionsKind))
        return apiFailure(std::move(*refused));
    options.force = call.flag("force");
    return options;
}

/// A whole object from the body of a POST or PUT, decoded against its kind.
ApiResult<JsonValue> ApiWrites::readBody(const ApiCall &call, Options &options) const
{
    const QByteArray type = call.mediaType();
    if (!type.isEmpty() && type != "application/json" && type != "application/yaml" &&
        type != protobufMediaType)
        return apiFailure(
            {.code = 415,
             .reason = "UnsupportedMediaType",
             .message = "the body of the request was in an unknown format - accepted media types include: "
                        "application/json, application/yaml, application/vnd.kubernetes.protobuf"});
    JsonProblem problem;
    JsonValue object = readRequestBody(call.http().body, type, &problem);
    const QByteArray kind = call.type->kind;
    if (!problem.message.isEmpty() || !object.isObject())
        return apiFailure(unrecognizedBody(kind.constData(), problem.message, call.http().body));
    if (auto foreign = foreignKind(object, call.type->group, call.type->version, call.type->kind))
        return apiFailure(std::move(*foreign));
    const QByteArray handled =
        kind + " in version " + quoted(call.type->version) + " cannot be handled as a " + kind + ": ";
    DecodeFindings findings = decodeObject(object, *call.type);
    if (!findings.typeProblem.isEmpty())
        return apiFailure(badRequest(handled + findings.typeProblem));
    if (options.strict && (!findings.unknownFields.empty() || !problem.duplicateFields.empty()))
        return apiFailure(badRequest(handled + "strict decoding error: " +
                                     strictProblems(findings.unknownFields, problem.duplicateFields, ", ")));
    for (const QByteArray &path : problem.duplicateFields)
        options.warnings.push_back("duplicate field " + quoted(path));
    for (const QByteArray &path : findings.unknownFields)
        options.warnings.push_back("unknown field " + quoted(path));
    object.set("kind", JsonValue::string(kind));
    object.set("apiVersion", JsonValue::string(call.type->apiVersion()));
    return object;
}

std::optional<ApiError> ApiWrites::checkIdentity(const ApiCall &call, const JsonValue &object,
                                                 const JsonValue &live) const
{
    const QByteArray name = object.textAt({"metadata", "name"});
    if (name != call.name && !name.isEmpty())
        return badRequest("the name of the object (" + name + ") does not match the name on the URL (" +
                          call.name + ')');
    if (name.isEmpty())
        return badRequest("the name of the object (" + call.name +
                          " based on URL) was undeterminable: name must be provided");
    const QByteArray nameSpace = object.textAt({"metadata", "namespace"});
    if (call.type->namespaced && !nameSpace.isEmpty() && nameSpace != call.nameSpace)
        return badRequest(
            "the namespace of the provided object does not match the namespace sent on the request");
    if (!live.isObject())
        return std::nullopt;
    const QByteArray version = object.textAt({"metadata", "resourceVersion"});
    const QByteArray liveVersion = live.textAt({"metadata", "resourceVersion"});
    bool isNumber = version.isEmpty();
    if (!isNumber && (version.toULongLong(&isNumber), !isNumber))
        return internalError("strconv.ParseUint: parsing " + quoted(version) + ": invalid syntax");
    if (!version.isEmpty() && version != liveVersion)
        return conflict(*call.type, call.name, modifiedMeanwhile);
    const QByteArray uid = object.textAt({"metadata", "uid"});
    const QByteArray liveUid = live.textAt({"metadata", "uid"});
    if (!uid.isEmpty() && uid != liveUid) {
        if (call.verb == "update")
            return conflict(
                *call.type, call.name,
                "StorageError: invalid object, Code: 4, Key: /registry/" + QByteArray(call.type->plural) +
                    '/' + call.key() +
                    ", ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: " +
                    uid + ", UID in object meta: " + liveUid);
        const FieldCause cause{"FieldValueInvalid", "Invalid value: " + quoted(uid) + ": field is immutable",
                               "metadata.uid"};
        return invalid(call.type->group, call.type->kind, call.name, {cause, cause});
    }
    return std::nullopt;
}

HttpAnswer ApiWrites::answer(const ApiCall &call, const JsonValue &object, qint64 version, int status,
                             const Options &options) const
{
    QByteArray text = storedText(object, version);
    if (version == 0) { // a dry run of something new has no version
        text.replace("\"resourceVersion\":\"0\",", "");
        text.replace(",\"resourceVersion\":\"0\"", "");
    }
    const auto representation = call.representation();
    HttpAnswer result =
        objectAnswer(call, m_store, text, representation.value_or(Representation::Json), status);
    if (options.warn) {
        for (const QByteArray &warning : options.warnings)
            result.headers.push_back({QByteArrayLiteral("Warning"), "299 - " + quoted(warning)});
    }
    return result;
}

/// `isApply`: the object comes from an apply, which has booked its fields.
ApiResult<HttpAnswer> ApiWrites::storeNew(const ApiCall &call, JsonValue object, const Options &options,
                                          bool isApply)
{
    const JsonValue *fields = object.at({"metadata", "managedFields"});
    const JsonValue booking = isApply && fields ? *fields : JsonValue();
    JsonValue &metadata = object["metadata"];
    const QByteArray prefix = metadata.textAt({"generateName"});
    if (metadata.textAt({"name"}).isEmpty() && !prefix.isEmpty())
        metadata.set("name", JsonValue::string(prefix + randomToken(3).left(5)));
    if (call.type->namespaced) {
        metadata.set("namespace", JsonValue::string(call.nameSpace));
        if (!m_store.contains(*findResourceType("", "v1", "namespaces"), call.nameSpace))
            return apiFailure(notFound(*findResourceType("", "v1", "namespaces"), call.nameSpace));
    }
    const QByteArray name = metadata.textAt({"name"});
    if (!metadata.textAt({"resourceVersion"}).isEmpty())
        return apiFailure(internalError("resourceVersion should not be set on objects to be created"));
    for (const char *own : {"managedFields", "selfLink", "deletionTimestamp", "deletionGracePeriodSeconds"})
        metadata.remove(own);
    if (call.type->hasGeneration())
        metadata.set("generation", JsonValue::number(1));
    JsonValue booked = booking;
    fillDecodedDefaults(object, *call.type); // `metadata` may no longer be where it was
    if (booked.isNull()) {
        bookUpdate(emptyObject(*call.type), object, *call.type,
                   {options.fieldManager.isEmpty() ? managerFromAgent(call) : options.fieldManager,
                    {},
                    m_store.now()},
                   true);
    } else {
        object["metadata"].set("managedFields", std::move(booked));
    }
    std::vector<FieldCause> causes = metadataCauses(object, *call.type, 1);
    const std::vector<FieldCause> more = creationCauses(object, *call.type);
    causes.insert(causes.end(), more.begin(), more.end());
    if (!causes.empty())
        return apiFailure(invalid(call.type->group, call.type->kind, name, causes));
    const QByteArray key = objectKey(call.nameSpace, name);
    if (m_store.contains(*call.type, key))
        return apiFailure(alreadyExists(*call.type, name));
    object["metadata"].set("uid", JsonValue::string(newUid()));
    object["metadata"].set("creationTimestamp", JsonValue::string(m_store.now()));
    fillServerParts(object, *call.type);
    const qint64 version = options.dryRun ? 0 : m_store.put(*call.type, key, object);
    if (!options.dryRun && QByteArrayView(call.type->kind) == QByteArrayView("Namespace"))
        m_store.furnishNamespace(name);
    return answer(call, object, version, 201, options);
}

ApiResult<HttpAnswer> ApiWrites::storeChanged(const ApiCall &call, const JsonValue &live, JsonValue object,
                                              const Options &options, bool booked)
{
    keepOtherPart(object, live, call);
    JsonValue &metadata = object["metadata"];
    const JsonValue &liveMetadata = *live.find("metadata");
    for (const char *fixed : {"name", "namespace", "uid", "creationTimestamp", "generation",
                              "deletionTimestamp", "deletionGracePeriodSeconds"}) {
        if (const JsonValue *value = liveMetadata.find(fixed))
            metadata.set(fixed, *value);
        else
            metadata.remove(fixed);
    }
    std::vector<FieldCause> causes = metadataCauses(object, *call.type, 4);
    const std::vector<FieldCause> more = changeCauses(live, object, *call.type);
    causes.insert(causes.end(), more.begin(), more.end());
    if (!causes.empty())
        return apiFailure(invalid(call.type->group, call.type->kind, call.name, causes));
    const qint64 liveVersion = live.textAt({"metadata", "resourceVersion"}).toLongLong();
    const QByteArray manager = options.fieldManager.isEmpty() ? managerFromAgent(call) : options.fieldManager;
    if (!booked) {
        if (const JsonValue *fields = liveMetadata.find("managedFields"))
            metadata.set("managedFields", *fields);
        else
            metadata.remove("managedFields");
        bookUpdate(live, object, *call.type, {manager, call.subresource, m_store.now()}, false);
    }
    const bool unchanged =
        sameButBookkeeping(live, object) &&
        (!booked || (liveMetadata.find("managedFields") && metadata.find("managedFields") &&
                     *liveMetadata.find("managedFields") == *metadata.find("managedFields")));
    if (unchanged)
        return answer(call, live, liveVersion, 200, options);
    if (call.type->hasGeneration() && !sameSpec(live, object)) {
        const JsonValue *generation = liveMetadata.find("generation");
        metadata.set("generation", JsonValue::number((generation ? generation->toInteger() : 0) + 1));
    }
    const qint64 version = options.dryRun ? liveVersion : m_store.put(*call.type, call.key(), object);
    // The last finalizer of something that is being deleted lets it go.
    const JsonValue *finalizers = object.at({"metadata", "finalizers"});
    const bool released = !object.textAt({"metadata", "deletionTimestamp"}).isEmpty() &&
                          liveMetadata.find("finalizers") && (!finalizers || finalizers->size() == 0);
    if (released && !options.dryRun)
        m_store.remove(*call.type, call.key());
    return answer(call, object, version, 200, options);
}

ApiResult<HttpAnswer> ApiWrites::create(const ApiCall &call)
{
    auto options = readOptions(call, "CreateOptions");
    if (!options)
        return apiFailure(options.error());
    auto object = readBody(call, *options);
    if (!object)
        return apiFailure(object.error());
    const QByteArray nameSpace = object->textAt({"metadata", "namespace"});
    if (call.type->namespaced && !nameSpace.isEmpty() && nameSpace != call.nameSpace)
        return apiFailure(badRequest(
            "the namespace of the provided object does not match the namespace sent on the request"));
    return storeNew(call, std::move(*object), *options, false);
}

ApiResult<HttpAnswer> ApiWrites::replace(const ApiCall &call)
{
    auto options = readOptions(call, "UpdateOptions");
    if (!options)
        return apiFailure(options.error());
    auto object = readBody(call, *options);
    if (!object)
        return apiFailure(object.error());
    const std::optional<JsonValue> live = m_store.object(*call.type, call.key());
    if (auto error = checkIdentity(call, *object, live ? *live : JsonValue()))
        return apiFailure(std::move(*error));
    if (live)
        return storeChanged(call, *live, std::move(*object), *options, false);
    if (!call.type->isMadeByUpdate())
        return apiFailure(notFound(*call.type, call.name));
    return storeNew(call, std::move(*object), *options, false);
}

ApiResult<JsonValue> ApiWrites::patched(const ApiCall &call, const JsonValue &live, Options &options) const
{
    const QByteArray type = call.mediaType();
    JsonProblem problem;
    const JsonValue body = JsonValue::parse(call.http().body, &problem);
    const bool strategic = type == "application/strategic-merge-patch+json";
    if (!problem.message.isEmpty())
        return apiFailure(
            badRequest((strategic ? QByteArray() : "error decoding patch: ") + problem.message));
    JsonValue object = live;
    if (type == "application/json-patch+json") {
        if (!body.isArray())
            return apiFailure(
                badRequest("error decoding patch: json: cannot unmarshal object into Go value of type "
                           "[]handlers.jsonPatchOp"));
        if (!applyJsonPatch(object, body))
            return apiFailure(unprocessable());
    } else {
        if (!body.isObject())
            return apiFailure(badRequest((strategic ? QByteArray() : QByteArray("error decoding patch: ")) +
                                         "json: cannot unmarshal " + jsonTypeName(body) +
                                         " into Go value of type map[string]interface {}"));
        if (strategic) {
            const QByteArray wrong =
                applyStrategicPatch(object, body, ObjectSchema::instance().find(call.type->schema));
            if (!wrong.isEmpty())
                return apiFailure(internalError(wrong));
        } else {
            applyMergePatch(object, body);
        }
    }
    if (!object.isObject())
        return apiFailure(unprocessable());
    JsonValue shown = object;
    DecodeFindings findings = decodeObject(object, *call.type);
    const auto shownText = [&] {
        if (strategic)
            return goFormat(body);
        shown.sortKeys();
        return shown.toJson();
    };
    if (!findings.typeProblem.isEmpty())
        return apiFailure(patchInvalid(shownText(), findings.typeProblem));
    if (options.strict && (!findings.unknownFields.empty() || !problem.duplicateFields.empty()))
        return apiFailure(patchInvalid(
            shownText(), "strict decoding error: " +
                             strictProblems(findings.unknownFields, problem.duplicateFields, ", ")));
    for (const QByteArray &path : problem.duplicateFields)
        options.warnings.push_back("duplicate field " + quoted(path));
    for (const QByteArray &path : findings.unknownFields)
        options.warnings.push_back("unknown field " + quoted(path));
    return object;
}

ApiResult<JsonValue> ApiWrites::applied(const ApiCall &call, const JsonValue &live, Options &options) const
{
    QByteArray problem;
    JsonValue body = readYamlBody(call.http().body, &problem);
    if (!problem.isEmpty())
        return apiFailure(badRequest("error decoding YAML: error converting YAML to JSON: " + problem));
    if (!body.isObject())
        return apiFailure(
            badRequest("error decoding YAML: error unmarshaling JSON: while decoding JSON: json: "
                       "cannot unmarshal " +
                       QByteArray(jsonTypeName(body)) + " into Go value of type map[string]interface {}"));
    if (findResourceKind(body.textAt({"apiVersion"}), body.textAt({"kind"})) != call.type) {
        const QByteArray apiVersion = body.textAt({"apiVersion"});
        const QByteArray given = apiVersion.contains('/') ? apiVersion : '/' + apiVersion;
        return apiFailure(badRequest("invalid object type: " + given + ", Kind=" + body.textAt({"kind"})));
    }
    if (body.at({"metadata", "managedFields"}))
        return apiFailure(badRequest("metadata.managedFields must be nil"));
    auto merged = applyConfiguration(live, body, *call.type,
                                     {options.fieldManager, call.subresource, m_store.now()}, options.force);
    if (!merged)
        return merged;
    decodeObject(*merged, *call.type);
    return merged;
}

ApiResult<HttpAnswer> ApiWrites::patch(const ApiCall &call)
{
    auto options = readOptions(call, "PatchOptions");
    if (!options)
        return apiFailure(options.error());
    const QByteArray type = call.mediaType();
    const bool apply = type == "application/apply-patch+yaml";
    if (!apply && type != "application/merge-patch+json" && type != "application/json-patch+json" &&
        type != "application/strategic-merge-patch+json")
        return apiFailure(unsupportedMedia());
    if (apply && options->fieldManager.isEmpty())
        return apiFailure(
            optionsInvalid("PatchOptions", {"FieldValueRequired",
                                            "Required value: is required for apply patch", "fieldManager"}));
    if (!apply && options->force)
        return apiFailure(
            optionsInvalid("PatchOptions", {"FieldValueForbidden",
                                            "Forbidden: may not be specified for non-apply patch", "force"}));
    const std::optional<JsonValue> live = m_store.object(*call.type, call.key());
    if (!live && !apply)
        return apiFailure(notFound(*call.type, call.name));
    auto object =
        apply ? applied(call, live ? *live : JsonValue(), *options) : patched(call, *live, *options);
    if (!object)
        return apiFailure(object.error());
    if (auto error = checkIdentity(call, *object, live ? *live : JsonValue()))
        return apiFailure(std::move(*error));
    if (!live)
        return storeNew(call, std::move(*object), *options, true);
    return storeChanged(call, *live, std::move(*object), *options, apply);
}

} // namespace tongchi::simulator
