/// A number assigned by the store; distinct types prevent passing a user where a group belongs.
public protocol Identifier: RawRepresentable, Hashable, Comparable, Sendable
where RawValue == Int64 {}

extension Identifier {
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

public struct UserID: Identifier {
    public var rawValue: Int64
    public init(rawValue: Int64) { self.rawValue = rawValue }
}

public struct DeviceID: Identifier {
    public var rawValue: Int64
    public init(rawValue: Int64) { self.rawValue = rawValue }
}

public struct GroupID: Identifier {
    public var rawValue: Int64
    public init(rawValue: Int64) { self.rawValue = rawValue }
}
