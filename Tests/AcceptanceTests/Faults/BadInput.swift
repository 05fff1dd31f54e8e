import Testing

/// Input from a device that is refused.
struct BadInput: Sendable, CustomTestStringConvertible {
    var name: String
    var topic = Topic.fix("ann")
    var payload: String
    /// Further arguments of `mosquitto_pub`.
    var arguments: [String] = []
    /// The topic of the refusal.
    var answer = Topic.device("ann") + "/rejected"
    var problem = "invalid"
    /// In this case the bridge never receives it.
    var isRefusedByTheGate = false

    var testDescription: String { name }

    /// One for each possible error in a Fix or in its topic.
    static let fixes: [BadInput] =
        [
            ("no JSON at all", "hello", "malformed"),
            ("JSON that ends too early", #"{"latitude":46.05,"longitude":"#, "malformed"),
            ("two values", fix(at: 0) + fix(at: 1), "malformed"),
            ("NaN", #"{"latitude":NaN,"longitude":14.5,"timestamp":1}"#, "malformed"),
            ("a string, unpaired", #"{"latitude":"\ud800"}"#, "malformed"),
            ("a control character", "[\"\u{1}\"]", "malformed"),
            ("arrays in arrays", String(repeating: "[", count: 10_000), "malformed"),
            ("no object", "7", "invalid"),
            ("no members", "{}", "invalid"),
            ("a number as a string", wrong("latitude", #""46""#), "invalid"),
            ("an object as a number", wrong("longitude", "{}"), "invalid"),
            ("a latitude beyond the pole", wrong("latitude", "90.0001"), "invalid"),
            ("a longitude too far", wrong("longitude", "-180.1"), "invalid"),
            ("a number without end", wrong("latitude", "1e999"), "invalid"),
            ("a time in words", wrong("timestamp", #""yesterday""#), "invalid"),
            ("two minutes in the future", fix(at: 0, age: -120), "invalid"),
            ("ten years in the future", fix(at: 0, age: -315_360_000), "invalid"),
            ("a time before there were clocks", wrong("timestamp", "-1e300"), "invalid"),
            ("a fix of last year", fix(at: 0, age: 40_000_000), "too-old"),
            ("nowhere", #"{"latitude":0,"longitude":0,"timestamp":\#(now)}"#, "invalid"),
            (
                "1,001 fixes", "[\(Array(repeating: "1", count: 1001).joined(separator: ","))]",
                "too-large"
            ),
            (
                "1,000 times nothing",
                "[\(Array(repeating: "1", count: 1000).joined(separator: ","))]",
                "invalid"
            ),
            (
                "more than 64 KiB", #"{"x":"\#(String(repeating: "x", count: 65_536))"}"#,
                "too-large"
            ),
        ].map {
            BadInput(
                name: $0, payload: $1, problem: $2,
                isRefusedByTheGate: $1.utf8.count > largestPayload)
        }

    private static let largestPayload = 65_536

    /// One for each possible error in a topic.
    static let topics: [BadInput] = [
        BadInput(
            name: "a level too many", topic: Topic.fix("ann") + "/now", payload: fix(at: 0),
            problem: "not-allowed", isRefusedByTheGate: true),
        BadInput(
            name: "a level too few", topic: Topic.device("ann"), payload: fix(at: 0),
            problem: "not-allowed", isRefusedByTheGate: true),
        BadInput(
            name: "an empty level", topic: Topic.device("ann") + "//fix", payload: fix(at: 0),
            problem: "not-allowed", isRefusedByTheGate: true),
        BadInput(
            name: "the bridge's own topic", topic: Topic.device("ann") + "/stored",
            payload: #"{"seq":9}"#, problem: "not-allowed", isRefusedByTheGate: true),
        BadInput(
            name: "a status that is none", topic: Topic.device("ann") + "/status",
            payload: "asleep"),
        BadInput(
            name: "somebody unknown", topic: Topic.fix("nobody"), payload: fix(at: 0),
            problem: "not-allowed", isRefusedByTheGate: true),
        BadInput(
            name: "somebody else", topic: Topic.fix("ben"), payload: fix(at: 0),
            problem: "not-allowed", isRefusedByTheGate: true),
        BadInput(
            name: "a retained fix", payload: fix(at: 0), arguments: ["-r"],
            problem: "not-allowed", isRefusedByTheGate: true),
    ]

    /// One for each possible error in a request.
    static let requests: [BadInput] =
        [
            ("no JSON", "group.list", "nonsense", "malformed"),
            ("a list", "group.list", "[]", "invalid"),
            ("an id that is an object", "group.list", #"{"id":{}}"#, "invalid"),
            ("an unknown method", "group.explode", "{}", "unknown-method"),
            ("a method in capitals", "Group.list", "{}", "unknown-method"),
            ("an unpaired surrogate", "group.create", #"{"name":"\ud83d"}"#, "malformed"),
            ("NUL in a name", "group.create", #"{"name":"a\u0000b"}"#, "invalid"),
            ("no name", "group.create", #"{"name":"  "}"#, "invalid"),
            ("a name of a number", "group.create", #"{"name":5}"#, "invalid"),
            (
                "a name too long", "group.create",
                #"{"name":"\#(String(repeating: "n", count: 65))"}"#, "invalid"
            ),
            ("a user with a slash", "group.add", #"{"group":"GROUP","user":"a/b"}"#, "invalid"),
            ("a user with a plus", "group.add", #"{"group":"GROUP","user":"+"}"#, "invalid"),
            ("a user with a hash", "group.add", ##"{"group":"GROUP","user":"a#"}"##, "invalid"),
            ("a user with NUL", "group.add", #"{"group":"GROUP","user":"a\u0000"}"#, "invalid"),
            ("nobody", "friend.add", #"{"user":"nobody"}"#, "unknown-user"),
            (
                "a link that ends in the past", "group.invite",
                #"{"group":"GROUP","expires":"2020-01-01T00:00:00Z"}"#, "invalid"
            ),
            ("a forged token", "invitation.accept", #"{"token":"x"}"#, "unknown-invitation"),
            ("a group with wildcards", "members.get", ##"{"group":"+/#"}"##, "invalid"),
            (
                "an unknown group", "members.get", #"{"group":"AAAAAAAAAAAAAAAAAAAAAA"}"#,
                "unknown-group"
            ),
            (
                "a journey to nowhere", "journey.start",
                #"{"groups":"all","eta":"2000-01-01T00:00:00Z","destination":{"latitude":"x"}}"#,
                "invalid"
            ),
            (
                "more than 64 KiB", "group.list",
                #"{"x":"\#(String(repeating: "x", count: 65_536))"}"#, "too-large"
            ),
        ].map { name, method, payload, problem in
            BadInput(
                name: "\(method) with \(name)",
                topic: Topic.device("ann") + "/requests/\(method)", payload: payload,
                answer: Topic.device("ann") + "/replies", problem: problem,
                isRefusedByTheGate: payload.utf8.count > largestPayload)
        } + [
            BadInput(
                name: "a reply to somebody else",
                topic: Topic.device("ann") + "/requests/group.list", payload: "{}",
                arguments: [
                    "-V", "5", "-D", "publish", "response-topic",
                    Topic.device("ben") + "/replies",
                ],
                answer: Topic.device("ann") + "/replies", problem: "not-allowed")
        ]

    private static func wrong(_ field: String, _ value: String) -> String {
        var members = ["latitude": "46.05", "longitude": "14.5", "timestamp": now]
        members[field] = value
        return "{\(members.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ","))}"
    }

    private static var now: String { "\"\(time(in: 0))\"" }
}
