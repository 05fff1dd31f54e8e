internal import Contract

/// The topics and the requests as an AsyncAPI document, from a client's view: it sends the messages
/// that clients publish, and receives the rest.
public enum AsyncAPI {
    /// - Parameter version: that of the service.
    public static func document(version: String) -> YAML {
        [
            "asyncapi": "3.0.0",
            "info": [
                "title": "Kith",
                "version": .text(version),
                "description": """
                Generated from the contract's tables by `kith-dev contract-tables asyncapi`. What the \
                tables leave open is unrestricted here; docs/reference.md describes it. The \
                root `kith` can be changed (topics.root).
                """,
            ],
            "defaultContentType": "application/json",
            "servers": [
                "broker": [
                    "host": "localhost:1883",
                    "protocol": "mqtt",
                    "description": "Your installation's, by default; MQTT 3.1.1 and 5.",
                ]
            ],
            "channels": .map(rows.map { .init(key: "\($0.kind)", value: channel($0)) }),
            "operations": .map(rows.flatMap(operations)),
            "components": [
                "schemas": .map(PayloadRow.schemas + [replySchema]),
                "messages": .map(methods.map { .init(key: $0.name, value: message($0)) }),
                "securitySchemes": [
                    "token": [
                        "type": "userPassword",
                        "description":
                            "The user's name and a device's token; guests connect without.",
                    ]
                ],
            ],
        ]
    }

    /// The topics that concern clients.
    private static let rows = TopicRow.all.filter { $0.payload != nil }
    private static let methods = Method.all.filter(\.isOpen)

    private static let replySchema = YAML.Member(
        key: "Reply",
        value: [
            "description": "to a request, with its id: a result or a problem",
            "type": "object",
            "properties": [
                "id": ["type": ["string", "number"]],
                "result": ["type": "object"], "problem": .reference("Problem"),
            ],
        ])

    // MARK: Channels

    private static func channel(_ row: TopicRow) -> YAML {
        let address = row.pattern.replacing("{root}", with: "kith")
            .replacing("[…]", with: "{rest}")
        let names = address.matches(of: /\{([A-Za-z]+)\}/).map { String($0.1) }
        let isKept =
            switch row.retention {
            case .byWriters, .compared, .announced: true
            case .none, .takenOff, .cleared: false
            }
        let channel: YAML = [
            "address": .text(address),
            "description": .text((row.payload ?? "").plain),
            "messages": messages(row),
        ]
        return
            channel
            .with(
                "parameters",
                names.isEmpty ? nil : .map(names.map { .init(key: $0, value: parameter($0)) })
            )
            .with("x-kith-receive", .list(row.readers.map { .text($0.rawValue) }))
            .with("x-kith-publish", .list(row.writers.map { .text($0.rawValue) }))
            .with("x-kith-retained", .bool(isKept))
    }

    private static func parameter(_ name: String) -> YAML {
        let texts = [
            "user": "2 to 32 lower-case letters, digits, - or _",
            "device": "2 to 32 lower-case letters, digits, - or _",
            "group": "the id that the server gave the group", "n": "from 1",
            "method": "the name of a message of this channel",
            "rest": "one or more levels of your choice",
        ]
        guard let text = texts[name] else { return [:] }
        return ["description": .text(text)]
    }

    private static func messages(_ row: TopicRow) -> YAML {
        switch row.kind {
        case .parsed(.request): references { $0.askers.contains(.user) && $0.kinds != [.service] }
        case .parsed(.guestRequest): references { $0.askers.contains(.guest) }
        case .parsed(.serviceRequest): references { $0.kinds.contains(.service) }
        default: ["\(row.kind)": ["payload": payload(row)]]
        }
    }

    private static func references(_ isMeant: (Method) -> Bool) -> YAML {
        .map(
            methods.filter(isMeant).map {
                .init(key: $0.name, value: ["$ref": .text("#/components/messages/\($0.name)")])
            })
    }

    /// The schema as far as the row describes it.
    private static func payload(_ row: TopicRow) -> YAML {
        let words = row.payload ?? ""
        if words == "reply" { return .reference("Reply") }
        if PayloadRow.names.contains(words) { return .reference(words) }
        if let name = words.split(separator: ",").first.map(String.init),
            PayloadRow.names.contains(name), words.hasSuffix("or an array of at most 1000")
        {
            return [
                "anyOf": [
                    .reference(name),
                    ["type": "array", "items": .reference(name), "maxItems": 1000],
                ]
            ]
        }
        if let cell = Notation.cell(words), cell.alternatives.count == 1,
            case .object = cell.alternatives[0]
        {
            return cell.alternatives[0].schema
        }
        return ["description": .text(words.plain)]
    }

    private static func message(_ method: Method) -> YAML {
        [
            "summary": .text(method.note),
            "payload": method.requestSchema,
            "x-kith-result": method.resultSchema,
        ]
    }

    // MARK: Operations

    private static func operations(_ row: TopicRow) -> [YAML.Member] {
        let channel = "#/channels/\(row.kind)"
        var operations: [YAML.Member] = []
        if !row.writers.filter({ $0 != .bridge }).isEmpty {
            let operation: YAML = ["action": "send", "channel": ["$ref": .text(channel)]]
            let replies: [Topic.Kind: String] = [
                .parsed(.request): "replies", .parsed(.guestRequest): "guestReplies",
                .parsed(.serviceRequest): "serviceReplies",
                .parsed(.operatorRequest): "operatorReplies",
            ]
            operations.append(
                .init(
                    key: "send-\(row.kind)",
                    value: operation.with("reply", replies[row.kind].map(reply))))
        }
        if row.writers.contains(.bridge) {
            operations.append(
                .init(
                    key: "receive-\(row.kind)",
                    value: ["action": "receive", "channel": ["$ref": .text(channel)]]))
        }
        return operations
    }

    private static func reply(_ channel: String) -> YAML {
        [
            "address": [
                "location": "$message.header#/responseTopic",
                "description": "The Response Topic of MQTT 5; without it, the channel's own.",
            ],
            "channel": ["$ref": .text("#/channels/\(channel)")],
            "messages": [["$ref": .text("#/channels/\(channel)/messages/\(channel)")]],
        ]
    }
}
