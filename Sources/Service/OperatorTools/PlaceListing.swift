internal import Bridge
public import Contract
public import Store

/// The places of the organisation, for the operator.
public struct PlaceListing: Sendable {
    public let places: [Place]

    /// - Throws: ``BridgeError``.
    public init(_ database: DatabaseAddress) throws {
        try database.check(mayBegin: false)
        do throws(StoreError) {
            let store = try Store.openReadOnly(database)
            try store.checkVersion()
            places = try store.transaction { try $0.places() }
        } catch {
            throw BridgeError(error.description)
        }
    }
}
