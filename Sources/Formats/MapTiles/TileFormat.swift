/// The kinds of raster tiles that browsers show.
public enum TileFormat: String, CaseIterable, Sendable {
    case png
    case jpeg = "jpg"
    case webp

    /// - Parameter text: as the metadata of MBTiles files write it; some say `jpeg`, some a media
    ///   type.
    init?(metadata text: String) {
        switch text.lowercased() {
        case "png", "image/png": self = .png
        case "jpg", "jpeg", "image/jpeg": self = .jpeg
        case "webp", "image/webp": self = .webp
        default: return nil
        }
    }

    public var mediaType: String {
        switch self {
        case .png: "image/png"
        case .jpeg: "image/jpeg"
        case .webp: "image/webp"
        }
    }

    /// By their first bytes.
    init?(of bytes: [UInt8]) {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.count > 12, bytes.starts(with: Array("RIFF".utf8)),
            bytes[8..<12].elementsEqual("WEBP".utf8)
        {
            self = .webp
        } else {
            return nil
        }
    }
}
