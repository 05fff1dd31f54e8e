import Contract
import Store

/// A written row that matters to the oracles.
enum Row {
    case alert(Raised)
    case fix(device: Int64, takenAt: Int64)
    case left(group: Int64, user: Int64)
    case said(Said)
    /// A request that is processed later.
    case waiting(row: Int64, user: Int64, method: String)
    /// A request that was processed, or never will be.
    case noLongerWaiting(row: Int64)

    struct Raised {
        let id: String
        let group: Int64
        let user: Int64
        let kind: String
        let destination: String?
    }

    /// A chat message.
    struct Said {
        let id: String
        let group: Int64
        let user: Int64?
        let kind: String
        let text: String?
    }

    init?(_ sql: String, _ values: [SQLValue]) {
        if sql.hasPrefix("INSERT INTO alerts"), values.count == 4,
            case .text(let id) = values[0], case .integer(let group) = values[1],
            case .integer(let user) = values[2], case .text(let document) = values[3]
        {
            let json = Row.json(Array(document.utf8))
            self = .alert(
                Raised(
                    id: id, group: group, user: user, kind: json["kind"]?.text ?? "?",
                    destination: json["destination"]?["name"]?.text))
        } else if sql.hasPrefix("INSERT INTO fixes "), case .integer(let device) = values[1],
            case .integer(let takenAt) = values[2]
        {
            self = .fix(device: device, takenAt: takenAt)
        } else if sql.hasPrefix("DELETE FROM memberships"), values.count == 2,
            case .integer(let group) = values[0], case .integer(let user) = values[1]
        {
            self = .left(group: group, user: user)
        } else if sql.hasPrefix("INSERT INTO chat_messages"), let said = Said(values) {
            self = .said(said)
        } else if sql.hasPrefix("DELETE FROM waiting_requests WHERE id"),
            case .integer(let row) = values[0]
        {
            self = .noLongerWaiting(row: row)
        } else {
            return nil
        }
    }

    /// - Parameter values: the values of a request that has to wait and got this row id.
    static func waiting(_ row: Int64, _ values: [SQLValue]) -> Row? {
        guard case .integer(let user) = values[0], case .text(let method) = values[2] else {
            return nil
        }
        return .waiting(row: row, user: user, method: method)
    }

    /// Parses the payload; null if it is not JSON.
    static func json(_ payload: [UInt8]) -> JSONValue {
        do { return try JSONValue.parse(payload) } catch { return .null }
    }
}

extension Row.Said {
    fileprivate init?(_ values: [SQLValue]) {
        guard values.count == 6, case .text(let id) = values[0],
            case .integer(let group) = values[1], case .text(let kind) = values[3]
        else { return nil }
        (self.id, self.group, self.kind) = (id, group, kind)
        if case .integer(let user) = values[2] { self.user = user } else { user = nil }
        if case .text(let text) = values[4] { self.text = text } else { text = nil }
    }
}

extension JSONValue {
    var text: String? {
        if case .string(let text) = self { return text }
        return nil
    }

    var elements: [JSONValue] {
        if case .array(let elements) = self { return elements }
        return []
    }
}
