import JSON

@testable import Web

extension ExportPages {
    /// Pages that are requested without a server.
    init(asking ask: @escaping @Sendable (JSONValue) throws -> JSONValue) {
        self.init(ask: { fields throws(Refusal) in
            do {
                return try ask(fields)
            } catch {
                throw .unreadable
            }
        })
    }
}
