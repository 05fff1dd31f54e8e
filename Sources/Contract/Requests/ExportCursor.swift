public import Tracking

/// The place where the next page of an export begins. Opaque to clients.
public enum ExportCursor: Hashable, Sendable {
    /// From the first membership not yet exported, by its number.
    case groups(from: Int64)
    /// Friends after this one, by name; nil: from the first.
    case friends(after: Name?)
    /// Blocked people after this one, by name; nil: from the first.
    case blocked(after: Name?)
    /// A path, and the last of its points that was exported.
    case paths(number: Int64, after: PathPlace?)
    /// Alerts before this one; nil: from the newest.
    case alerts(before: UUIDv7?)
    /// Acknowledgements of alerts before this one; nil: from the newest.
    case acknowledgements(before: UUIDv7?)
    /// The person's own messages before this one; nil: from the newest.
    case messages(before: UUIDv7?)
    /// The devices from this one on, and its newest fix not yet exported; nil: from the newest.
    case fixes(DeviceID, from: FixID?)

    /// Nil for anything but the result of ``text``.
    public init?(_ text: String) {
        guard text.utf8.count <= ExportCursor.maximumLength else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.dropFirst().map { Int64($0) }
        func number(_ index: Int) -> Int64? { index < numbers.count ? numbers[index] : nil }
        let cursor: ExportCursor?
        switch (parts.first, parts.count) {
        case ("g", 2): cursor = number(0).map { .groups(from: $0) }
        case ("r", 1): cursor = .friends(after: nil)
        case ("r", 2): cursor = Name(parts[1]).map { .friends(after: $0) }
        case ("b", 1): cursor = .blocked(after: nil)
        case ("b", 2): cursor = Name(parts[1]).map { .blocked(after: $0) }
        case ("p", 2): cursor = number(0).map { .paths(number: $0, after: nil) }
        case ("p", 4):
            guard let path = number(0), let time = number(1), let fix = number(2) else {
                return nil
            }
            let place = PathPlace(
                takenAt: Timestamp(milliseconds: time), fix: FixID(rawValue: fix))
            cursor = .paths(number: path, after: place)
        case ("a", 1): cursor = .alerts(before: nil)
        case ("a", 2): cursor = UUIDv7(String(parts[1])).map { .alerts(before: $0) }
        case ("k", 1): cursor = .acknowledgements(before: nil)
        case ("k", 2): cursor = UUIDv7(String(parts[1])).map { .acknowledgements(before: $0) }
        case ("c", 1): cursor = .messages(before: nil)
        case ("c", 2): cursor = UUIDv7(String(parts[1])).map { .messages(before: $0) }
        case ("f", 2): cursor = number(0).map { .fixes(DeviceID(rawValue: $0), from: nil) }
        case ("f", 3):
            guard let device = number(0), let fix = number(1) else { return nil }
            cursor = .fixes(DeviceID(rawValue: device), from: FixID(rawValue: fix))
        default: cursor = nil
        }
        guard let cursor, cursor.text == text else { return nil }
        self = cursor
    }

    public var text: String {
        switch self {
        case .groups(let number): "g.\(number)"
        case .friends(nil): "r"
        case .friends(let name?): "r.\(name)"
        case .blocked(nil): "b"
        case .blocked(let name?): "b.\(name)"
        case .paths(let number, nil): "p.\(number)"
        case .paths(let number, let place?):
            "p.\(number).\(place.takenAt.milliseconds).\(place.fix.rawValue)"
        case .alerts(nil): "a"
        case .alerts(let id?): "a.\(id)"
        case .acknowledgements(nil): "k"
        case .acknowledgements(let id?): "k.\(id)"
        case .messages(nil): "c"
        case .messages(let id?): "c.\(id)"
        case .fixes(let device, nil): "f.\(device.rawValue)"
        case .fixes(let device, let fix?): "f.\(device.rawValue).\(fix.rawValue)"
        }
    }

    private static let maximumLength = 100
}

extension Command {
    static func exportAccount(_ fields: inout Fields) -> Action? {
        guard let text = fields.string(ifPresent: "cursor") else {
            return .exportAccount(cursor: nil)
        }
        guard let cursor = ExportCursor(text) else {
            fields.refuse("cursor", "is not one that this service gave")
            return nil
        }
        return .exportAccount(cursor: cursor)
    }
}
