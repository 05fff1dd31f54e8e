import Foundation
import TestSupport

extension Page {
    /// - Parameter width: less than 600 is a phone.
    public func resize(width: Int, height: Int) async throws {
        try await send(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .number(Double(width)), "height": .number(Double(height)),
                "deviceScaleFactor": 1, "mobile": .bool(width < 600),
            ])
    }

    /// Sets the device's position, and allows this page's origin to read it.
    public func setLocation(
        latitude: Double, longitude: Double, accuracy: Double = 5
    ) async throws {
        try await visitor.grant(
            "geolocation", to: try await evaluate("location.origin", as: String.self))
        try await send(
            "Emulation.setGeolocationOverride",
            [
                "latitude": .number(latitude), "longitude": .number(longitude),
                "accuracy": .number(accuracy),
            ])
    }

    /// Makes the device unable to find its position.
    public func loseLocation() async throws {
        try await send("Emulation.setGeolocationOverride")
    }

    /// Sets a media feature, such as `prefers-color-scheme` to `dark`.
    public func prefer(_ feature: String, _ value: String) async throws {
        try await send(
            "Emulation.setEmulatedMedia",
            ["features": [["name": .string(feature), "value": .string(value)]]])
    }

    /// Sets the visitor's language and country: `de-AT`.
    public func setLocale(_ locale: String) async throws {
        try await send("Emulation.setLocaleOverride", ["locale": .string(locale)])
    }

    /// Writes a PNG of what is visible.
    public func screenshot(to path: String) async throws {
        let picture = try await send("Page.captureScreenshot", ["format": "png"])
        guard let text = picture["data"].text, let data = Data(base64Encoded: text) else {
            throw BrowserError("There is no picture.")
        }
        try data.write(to: URL(fileURLWithPath: path))
    }
}
