/// A change of a value: set, removed or left unchanged.
public enum Edit<Value: Sendable>: Sendable {
    case keep
    case remove
    case set(Value)

    /// Returns the resulting value.
    public func applied(to value: Value?) -> Value? {
        switch self {
        case .keep: value
        case .remove: nil
        case .set(let new): new
        }
    }
}
