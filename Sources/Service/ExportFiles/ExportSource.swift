public import Contract
public import Tracking

/// Supplies everything stored about a person, for ``ExportArchive``.
///
/// Nothing has to be in memory as a whole: long data arrives item by item or part by part, and is
/// requested once for each file that needs it.
public protocol ExportSource {
    /// The location of a part of a history.
    associatedtype Locator

    var user: Name { get }
    /// The name that others see.
    var displayName: String { get }
    /// In the order in which they were added.
    var devices: [Name] { get }

    /// Calls `body` with everything but paths, fixes and long lists, in any order of types. Called
    /// once, and first.
    func eachAccountItem(_ body: (ExportItem) async throws -> Void) async throws

    /// Calls `body` with the items of a long list.
    func eachItem(
        of list: ExportList, _ body: (ExportItem) async throws -> Void
    ) async throws

    /// Calls `body` with the paths in the order in which they began, whole or in consecutive pages.
    func eachPath(_ body: (ExportItem.Path) async throws -> Void) async throws

    /// Returns the locations of the device's fixes, in order of arrival.
    func history(of device: Name) async throws -> [HistoryPart<Locator>]

    /// Returns the fixes of a part that still exist, in order of arrival.
    func fixes(at locator: Locator, of device: Name) async throws -> [Fix]
}

/// Consecutive fixes of a device, by order of arrival.
public struct HistoryPart<Locator> {
    public let locator: Locator
    /// When the first of them was taken.
    public let earliest: Timestamp

    public init(_ locator: Locator, earliest: Timestamp) {
        self.locator = locator
        self.earliest = earliest
    }
}
