internal import Tracking

extension Fields {
    mutating func uuid(_ field: String) -> UUIDv7? {
        guard let text = string(field) else { return nil }
        guard let uuid = UUIDv7(text) else {
            refuse(field, "is not a UUID")
            return nil
        }
        return uuid
    }
}
