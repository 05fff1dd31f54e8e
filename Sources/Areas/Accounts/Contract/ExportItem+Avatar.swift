internal import Base64
internal import JSON

extension ExportItem {
    /// The person's picture, a PNG.
    public static func avatar(_ png: [UInt8]) -> ExportItem {
        ExportItem("avatar") { $0.member("avatar", Base64.encode(png)) }
    }
}
