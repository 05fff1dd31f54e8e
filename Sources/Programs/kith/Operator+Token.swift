import Bridge
import Contract
import OperatorTools

extension Operator {
    /// Makes a new token for the user's device; its previous token stops working.
    func makeToken(_ user: Name, _ device: Name, speaksOwnTracks: Bool) async throws
        -> DeviceToken
    {
        var random = SystemRandomNumberGenerator()
        let token = DeviceToken(user: user, device: device, using: &random)
        _ = try await perform(
            .setToken(
                user: user, device: device, hash: token.hash, speaksOwnTracks: speaksOwnTracks))
        return token
    }
}
