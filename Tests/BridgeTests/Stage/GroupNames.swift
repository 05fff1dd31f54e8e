import Contract
import JSON

@testable import Bridge

/// Group keys are unguessable; tests refer to groups by their first names, in lower case: `$family`
/// in a payload stands for the key of the group Family.
struct GroupNames {
    private var keys: [String: GroupKey] = [:]

    /// A key that no group has.
    static let unknown = "AAAAAAAAAAAAAAAAAAAAAA"

    /// The id of the last published alert.
    private(set) var lastAlert = ""

    mutating func learn(from publication: Publication, _ topics: TopicSpace) {
        if case .alerts = topics.parse(publication.topic) {
            lastAlert = JSONValue.read(publication.payload)["id"]?.text ?? lastAlert
        }
        guard case .group(let key) = topics.parse(publication.topic), name(of: key) == nil,
            let name = JSONValue.read(publication.payload)["name"]?.text
        else { return }
        keys[name.lowercased()] = key
    }

    func name(of key: GroupKey) -> String? { keys.first { $0.value == key }?.key }

    subscript(_ name: String) -> GroupKey {
        guard let key = keys[name] ?? GroupKey(GroupNames.unknown) else {
            preconditionFailure("the unknown key is a key")
        }
        return key
    }

    /// Replaces names with keys.
    func expand(_ text: String) -> String {
        text.replacing(/\$([a-z0-9]+)/) { self[String($0.output.1)].text }
    }

    /// Replaces keys with names.
    func shorten(_ text: String) -> String {
        keys.reduce(text) { $0.replacing($1.value.text, with: "$" + $1.key) }
    }
}
