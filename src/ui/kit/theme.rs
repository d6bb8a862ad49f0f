//! Dark and light theme: colours by their role, and egui's style.
//!
//! Text has a contrast of at least 4.5:1 against its background, and meaningful lines 3:1. `tests/it/ui.rs` checks
//! this.

use std::collections::BTreeMap;

use egui::epaint::FontColorTransferFunction;
use egui::style::{ScrollStyle, WidgetVisuals};
use egui::{
    Color32, Context, CornerRadius, FontFamily, FontId, Margin, Shadow, Stroke, Style, TextStyle, Theme, Ui, Visuals,
    vec2,
};

use maquette_scene::scene::ColourTheme;

/// Corner radius of buttons and fields.
pub const CORNER: u8 = 5;
/// Duration of fading and unfolding, in seconds.
const ANIMATION: f32 = 0.12;
/// Corner radius of menus and cards.
pub const CARD_CORNER: u8 = 8;

/// Colours of a theme by their role.
#[derive(Clone, Debug)]
pub struct Tokens {
    /// Dark or light.
    pub theme: ColourTheme,
    /// Side panels and timeline.
    pub panel: Color32,
    /// Top and status bar.
    pub bar: Color32,
    /// Text fields and tracks.
    pub field: Color32,
    /// Buttons at rest, and the row under the pointer.
    pub raised: Color32,
    /// Buttons under the pointer, and toggles that are on.
    pub hover: Color32,
    /// Separators, outlines, pressed buttons.
    pub line: Color32,
    /// Menus, tooltips, cards.
    pub pop: Color32,
    /// Primary text.
    pub text: Color32,
    /// Labels, units, second lines, icons at rest.
    pub text2: Color32,
    /// Ticks and outlines; not for essential text.
    pub text3: Color32,
    /// Icon of an active toggle, focus ring, playhead.
    pub accent: Color32,
    /// Main button, checked box, slider.
    pub accent_fill: Color32,
    /// Text on `accent_fill`.
    pub on_accent: Color32,
    /// Selected row.
    pub selected: Color32,
    /// Links.
    pub link: Color32,
    /// Warnings.
    pub warn: Color32,
    /// Errors.
    pub error: Color32,
    /// Success.
    pub ok: Color32,
    /// X, y and z axis in the view.
    pub axes: [Color32; 3],
    /// Background of a label in the view.
    pub plate: Color32,
    /// Background of an empty scene, at the top and at the bottom.
    pub studio: [Color32; 2],
    /// Background of thumbnails.
    pub thumbnail: Color32,
    /// Colours of clips, which repeat in this order.
    pub clips: [Color32; 8],
    /// Opacity of a clip's colour on the track, at rest and for the current clip.
    pub clip_fill: [f32; 2],
    /// Outline around the playhead.
    pub casing: Color32,
}

const fn hex(rgb: u32) -> Color32 {
    Color32::from_rgb((rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8)
}

/// Dark theme.
pub static DARK: Tokens = Tokens {
    theme: ColourTheme::Dark,
    panel: hex(0x1f2022),
    bar: hex(0x1a1b1d),
    field: hex(0x141517),
    raised: hex(0x2b2c2f),
    hover: hex(0x36383b),
    line: hex(0x3a3c40),
    pop: hex(0x2b2c2f),
    text: hex(0xe8e7e4),
    text2: hex(0xa8aaad),
    text3: hex(0x85888c),
    accent: hex(0xf0935a),
    accent_fill: hex(0xe0824a),
    on_accent: hex(0x1b1009),
    selected: hex(0x49372d),
    link: hex(0xf0a878),
    warn: hex(0xe6c34a),
    error: hex(0xff7d78),
    ok: hex(0x6cc48a),
    axes: [hex(0xff5c6e), hex(0xa6e05a), hex(0x58a6ff)],
    plate: Color32::from_rgba_premultiplied(13, 14, 15, 209),
    studio: [hex(0x2b2c2f), hex(0x17181a)],
    thumbnail: hex(0x303236),
    clips: [
        hex(0xc67162),
        hex(0xb6b4ff),
        hex(0x01a19c),
        hex(0x57d1e2),
        hex(0x7d9849),
        hex(0xf0a1cf),
        hex(0xb173ad),
        hex(0xdaba66),
    ],
    clip_fill: [0.28, 0.44],
    casing: Color32::from_rgba_premultiplied(0, 0, 0, 140),
};

/// Light theme.
pub static LIGHT: Tokens = Tokens {
    theme: ColourTheme::Light,
    panel: hex(0xf5f5f3),
    bar: hex(0xececea),
    field: hex(0xffffff),
    raised: hex(0xe3e3e0),
    hover: hex(0xd7d7d3),
    line: hex(0xcfcfcb),
    pop: hex(0xffffff),
    text: hex(0x1c1d1f),
    text2: hex(0x505358),
    text3: hex(0x6a6d72),
    accent: hex(0xa8461a),
    accent_fill: hex(0xb9531f),
    on_accent: hex(0xffffff),
    selected: hex(0xe9d9d0),
    link: hex(0x9a3f14),
    warn: hex(0x7a5b00),
    error: hex(0xb3261e),
    ok: hex(0x1f7a43),
    axes: [hex(0x8c1034), hex(0x4a8a0c), hex(0x0b5fc4)],
    plate: Color32::from_rgba_premultiplied(224, 224, 224, 224),
    studio: [hex(0xe8e9ea), hex(0xd0d2d4)],
    thumbnail: hex(0xe6e6e3),
    clips: [
        hex(0xb1604c),
        hex(0x484286),
        hex(0x208f6c),
        hex(0x205c21),
        hex(0xa16096),
        hex(0x674700),
        hex(0x1a85af),
        hex(0x763059),
    ],
    clip_fill: [0.20, 0.42],
    casing: Color32::from_rgba_premultiplied(191, 191, 191, 191),
};

/// Returns the colours of the theme that `ui` uses.
pub fn tokens(ui: &Ui) -> &'static Tokens {
    if ui.visuals().dark_mode { &DARK } else { &LIGHT }
}

/// Mixes `share` of `over` into `under`, in the way egui blends.
pub fn mix(under: Color32, over: Color32, share: f32) -> Color32 {
    under.lerp_to_gamma(over, share)
}

impl Tokens {
    /// Returns the colour of the clip at an index.
    pub fn clip(&self, index: usize) -> Color32 {
        self.clips.get(index % self.clips.len()).copied().unwrap_or(self.text3)
    }
}

/// Installs both themes in egui. Call it once, before the first frame.
pub fn install(ctx: &Context) {
    ctx.style_mut_of(Theme::Dark, |style| fill(style, &DARK));
    ctx.style_mut_of(Theme::Light, |style| fill(style, &LIGHT));
}

fn fill(style: &mut Style, tokens: &Tokens) {
    style.text_styles = text_styles();
    style.animation_time = ANIMATION;
    style.interaction.tooltip_delay = 0.4;
    style.interaction.resize_grab_radius_side = 5.0;
    style.interaction.selectable_labels = true;
    style.interaction.multi_widget_text_select = false;
    style.explanation_tooltips = false;
    let spacing = &mut style.spacing;
    spacing.item_spacing = vec2(8.0, 4.0);
    spacing.button_padding = vec2(10.0, 5.0);
    spacing.interact_size = vec2(28.0, 28.0);
    spacing.indent = 16.0;
    spacing.icon_width = 16.0;
    spacing.slider_rail_height = 4.0;
    spacing.menu_margin = Margin::symmetric(8, 6);
    spacing.window_margin = Margin::same(12);
    spacing.tooltip_width = 420.0;
    spacing.scroll =
        ScrollStyle { bar_width: 8.0, floating_width: 4.0, floating_allocated_width: 0.0, ..ScrollStyle::thin() };
    // Show only the handle, because a rail next to every list is distracting.
    spacing.scroll.dormant_background_opacity = 0.0;
    spacing.scroll.active_background_opacity = 0.0;
    spacing.scroll.interact_background_opacity = 0.0;
    spacing.scroll.foreground_color = true;
    spacing.scroll.dormant_handle_opacity = 0.18;
    spacing.scroll.active_handle_opacity = 0.18;
    spacing.scroll.interact_handle_opacity = 0.4;
    // Fading edges on long lists would cost a gradient per frame and hide the last line.
    spacing.scroll.fade.strength = 0.0;
    visuals(&mut style.visuals, tokens);
}

fn text_styles() -> BTreeMap<TextStyle, FontId> {
    let strong = || FontFamily::Name("strong".into());
    [
        (TextStyle::Small, FontId::new(11.0, FontFamily::Proportional)),
        (TextStyle::Body, FontId::new(13.0, FontFamily::Proportional)),
        (TextStyle::Button, FontId::new(13.0, FontFamily::Proportional)),
        (TextStyle::Heading, FontId::new(15.0, strong())),
        (TextStyle::Monospace, FontId::new(12.0, FontFamily::Monospace)),
        (TextStyle::Name("title".into()), FontId::new(20.0, strong())),
    ]
    .into()
}

fn visuals(visuals: &mut Visuals, tokens: &Tokens) {
    let dark = tokens.theme == ColourTheme::Dark;
    visuals.dark_mode = dark;
    // egui thickens light letters on a dark background too much for these sizes.
    let transfer = if dark { FontColorTransferFunction::Gamma(0.8) } else { FontColorTransferFunction::Off };
    visuals.text_options.color_transfer_function = transfer;
    visuals.override_text_color = None;
    visuals.weak_text_color = Some(tokens.text2);
    visuals.hyperlink_color = tokens.link;
    visuals.faint_bg_color = if dark { hex(0x232427) } else { hex(0xefefec) };
    visuals.extreme_bg_color = tokens.field;
    visuals.text_edit_bg_color = Some(tokens.field);
    visuals.code_bg_color = tokens.field;
    visuals.warn_fg_color = tokens.warn;
    visuals.error_fg_color = tokens.error;
    visuals.panel_fill = tokens.panel;
    visuals.window_fill = tokens.pop;
    visuals.window_stroke = Stroke::new(1.0, tokens.line);
    visuals.window_corner_radius = CornerRadius::same(CARD_CORNER);
    visuals.menu_corner_radius = CornerRadius::same(CARD_CORNER);
    let shade = Color32::from_black_alpha(if dark { 89 } else { 26 });
    visuals.popup_shadow = Shadow { offset: [0, 4], blur: 12, spread: 0, color: shade };
    visuals.window_shadow = visuals.popup_shadow;
    visuals.selection.bg_fill = tokens.selected;
    visuals.selection.stroke = Stroke::new(1.0, tokens.text);
    visuals.text_cursor.stroke = Stroke::new(2.0, tokens.accent);
    // A blinking caret would redraw the window twice a second.
    visuals.text_cursor.blink = false;
    visuals.striped = false;
    visuals.indent_has_left_vline = false;
    visuals.button_frame = true;
    visuals.disabled_alpha = 0.45;
    let widget = |fill: Color32, line: Stroke| WidgetVisuals {
        bg_fill: fill,
        weak_bg_fill: fill,
        bg_stroke: line,
        corner_radius: CornerRadius::same(CORNER),
        fg_stroke: Stroke::new(1.0, tokens.text),
        expansion: 0.0,
    };
    let line = Stroke::new(1.0, tokens.line);
    visuals.widgets.noninteractive = widget(tokens.panel, line);
    visuals.widgets.inactive = widget(tokens.raised, Stroke::NONE);
    visuals.widgets.hovered = widget(tokens.hover, Stroke::NONE);
    visuals.widgets.open = widget(tokens.hover, Stroke::NONE);
    // egui draws a focused widget as active, so this stroke is its focus ring.
    visuals.widgets.active = widget(tokens.line, Stroke::new(2.0, tokens.accent));
}

/// Turns animations on or off.
pub fn animate(ctx: &Context, animated: bool) {
    let time = if animated { ANIMATION } else { 0.0 };
    #[allow(clippy::float_cmp, reason = "detects any change of the value")]
    if ctx.global_style().animation_time != time {
        ctx.all_styles_mut(|style| style.animation_time = time);
    }
}
