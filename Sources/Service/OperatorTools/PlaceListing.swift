internal import Bridge
public import Contract
internal import Store

/// The places of the organisation, for the operator.
public struct PlaceListing: Sendable {
    public let places: [Place]

    /// - Throws: ``BridgeError``.
    public init(databasePath: String) throws {
        try DatabaseFiles(databasePath).check(mayBegin: false)
        do throws(StoreError) {
            let store = try Store.openReadOnly(databasePath)
            try store.checkVersion()
            places = try store.transaction { try $0.places() }
        } catch {
            throw BridgeError(error.description)
        }
    }
}
