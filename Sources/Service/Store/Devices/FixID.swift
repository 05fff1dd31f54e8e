public import Tracking

/// The place of a fix in the store: fixes are numbered in storage order.
public struct FixID: Identifier {
    public var rawValue: Int64
    public init(rawValue: Int64) { self.rawValue = rawValue }
}
