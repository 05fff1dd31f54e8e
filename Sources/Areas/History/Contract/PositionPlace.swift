/// The progress of reading or deleting positions: those of a device, back to a fix, or the imported
/// ones, back to a time.
public enum PositionPlace: Hashable, Sendable, LosslessStringConvertible {
    /// - `fix`: nil if none of the device has been read yet.
    case device(Int64, fix: Int64?)
    /// - `before`: in milliseconds; nil if none has been read yet.
    case imported(before: Int64?)

    /// Parses ``description``.
    public init?(_ text: String) {
        guard text.utf8.count <= PositionPlace.maximumLength else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let place = Int64(parts[1])
        if parts[0] == "i" {
            self = .imported(before: place)
        } else if let device = Int64(parts[0]), device > 0, place ?? 1 > 0 {
            self = .device(device, fix: place)
        } else {
            return nil
        }
        guard description == text else { return nil }
    }

    public var description: String {
        switch self {
        case .device(let device, let fix): "\(device).\(fix.map(String.init) ?? "")"
        case .imported(let before): "i.\(before.map(String.init) ?? "")"
        }
    }

    /// Bytes: more than two numbers need.
    private static let maximumLength = 64
}
