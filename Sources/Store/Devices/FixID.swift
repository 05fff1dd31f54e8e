public import Tracking

/// The place of a fix in the store: fixes are numbered in the order in which they were stored.
public struct FixID: Identifier {
    public var rawValue: Int64
    public init(rawValue: Int64) { self.rawValue = rawValue }
}
