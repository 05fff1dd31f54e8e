/// Something that is set anew, removed or left as it is.
public enum Edit<Value: Sendable>: Sendable {
    case keep
    case remove
    case set(Value)

    /// What results.
    public func applied(to value: Value?) -> Value? {
        switch self {
        case .keep: value
        case .remove: nil
        case .set(let new): new
        }
    }
}
