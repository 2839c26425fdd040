// SPDX-License-Identifier: Apache-2.0
// The series: scores and metrics over time, anomalous spans shaded, all charts with one range.
'use strict';

const metricsAtOnce = 5;

/** Calls `chooseNumbered` with the number of a row. Returns the view of the charts. */
function showSeries(data, chooseNumbered) {
  const {series} = data;
  const place = document.getElementById('series');
  place.hidden = false;
  document.getElementById('series-link').hidden = false;
  const charts = make('div', {class: 'charts'});
  const spanPlace = make('div', {});
  const view = new TimeView(data, charts, spanPlace, chooseNumbered);
  place.append(make('div', {class: 'controls'}, trackChoice(series, view), rangeButtons(view), view.says),
    make('p', {class: 'caption'}, seriesCaption(series, view.zone)), notesList(series.notes), charts, spanPlace,
    calendarFigure(series, view.zone, document.querySelector('main').clientWidth - 32));
  view.show(busiestTrack(series));
  new ResizeObserver(() => view.resize()).observe(charts);
  return view;
}

function seriesCaption(series, zone) {
  const moment = series.moment_words ? ['Here ', words(series.moment_words), ': the line is the mean, the band spans the lowest to the highest value. '] : '';
  return make('span', {}, moment, 'Shaded: times with anomalies; click one to see why. Drag to zoom, shift-drag to pan, double-click to show all. ',
    `Times are in ${zone.name}${series.zone && series.zone !== zone.name ? ` (this browser does not know ${series.zone})` : ''}.`);
}

/** Returns the track with the rarest span. */
function busiestTrack(series) {
  const most = series.tracks.map((track) => Math.max(-Infinity, ...track.spans.map((span) => span.bits)));
  return Math.max(0, most.indexOf(Math.max(...most)));
}

function trackChoice(series, view) {
  if (series.tracks.length < 2) return null;
  const options = series.tracks.map((track, i) => make('option', {value: i}, `${shortened(track.key, 60)} (${counted(track.spans.length, view.data.is_in_time ? 'incident' : 'span')})`));
  const select = make('select', {id: 'track', onchange: () => view.show(Number(select.value))}, options);
  select.value = String(busiestTrack(series));
  return [make('label', {for: 'track'}, words(shortened(series.by_column || 'Series', 40))), select];
}

function rangeButtons(view) {
  const button = (text, title, act) => make('button', {type: 'button', title, 'aria-label': title, onclick: act}, text);
  return make('span', {class: 'buttons', role: 'group', 'aria-label': 'Time range'},
    button('+', 'Zoom in', () => view.move(0, 0.5)), button('\u2212', 'Zoom out', () => view.move(0, 2)),
    button('\u2190', 'Earlier', () => view.move(-0.5, 1)), button('\u2192', 'Later', () => view.move(0.5, 1)),
    button('Whole', 'Whole time range', () => view.setRange(...view.whole())));
}

class TimeView {
  constructor(data, place, spanPlace, chooseNumbered) {
    Object.assign(this, {data, place, spanPlace, chooseNumbered, plots: [], range: [0, 0], all: false, zone: zoned(data.series.zone, data.series.has_clock)});
    this.says = make('span', {class: 'count', id: 'range'});
  }

  show(track) {
    this.track = this.data.series.tracks[track];
    this.setRange(...this.whole());
    this.spanPlace.replaceChildren(...this.spanList());
    this.draw();
  }

  /** Zooms to an incident and a while before and after it; shows all for null. */
  showIncident(incident) {
    if (incident === null) return this.setRange(...this.whole());
    const track = this.data.series.tracks.findIndex(({key}) => key === '' || key === (incident.key || 'missing'));
    if (track < 0) return undefined;
    if (this.data.series.tracks[track] !== this.track) {
      document.getElementById('track').value = String(track);
      this.show(track);
    }
    const [first, last] = this.whole();
    const around = Math.max(2 * (incident.to - incident.from), (last - first) / 50);
    return this.setRange(Math.max(first, incident.from - around), Math.min(last, incident.to + around));
  }

  whole() {
    const {times} = this.track;
    return times.length > 1 ? [times[0], times.at(-1)] : [(times[0] ?? 0) - 3600, (times[0] ?? 0) + 3600];
  }

  /** Moves by a number of ranges, and widens the range by a factor. */
  move(by, times) {
    const [low, high] = this.range;
    const middle = (low + high) / 2 + by * (high - low);
    const half = (high - low) / 2 * times;
    const [first, last] = this.whole();
    if (half * 2 >= last - first) this.setRange(first, last);
    else this.setRange(...[middle - half, middle + half].map((t) => t + Math.max(0, first - middle + half) - Math.max(0, middle + half - last)));
  }

  setRange(min, max) {
    if (min === this.range[0] && max === this.range[1]) return;
    this.range = [min, max];
    this.says.textContent = stretchText(this.zone, min, max);
    for (const plot of this.plots) plot.setScale('x', {min, max});
  }

  /** Metrics by which the rarest listed row of the track stands out come first, then those that give anomalies most bits. */
  metrics() {
    const listed = this.track.spans.filter(({row}) => row !== null).sort((a, b) => b.bits - a.bits);
    const named = listed.length > 0 ? this.data.rows[listed[0].row].metrics : [];
    const place = ({name}) => (named.includes(name) ? named.indexOf(name) : named.length);
    return [...this.track.metrics].sort((a, b) => place(a) - place(b));
  }

  /** Draws the charts in the current colours, with the given width, or with null as wide as possible. */
  draw(width = null) {
    const range = this.range;
    for (const plot of this.plots) plot.destroy();
    const metrics = this.metrics();
    const shown = this.all ? metrics : metrics.slice(0, metricsAtOnce);
    const score = {name: 'Score', unit: 'bits', values: this.track.scores, from0: true, accent: true};
    const places = [...shown.slice(0, 1), score, ...shown.slice(1)].map((metric) => [metric, make('div', {class: 'plot', role: 'img', 'aria-label': this.sentence(metric)})]);
    this.place.replaceChildren(...places.map(([metric, plot]) => make('figure', {}, make('figcaption', {class: 'title'}, words(metric.name), metric.unit ? [', ', words(metric.unit)] : ''), plot)),
      ...(metrics.length > shown.length ? [make('button', {type: 'button', onclick: () => this.showAll()}, `Show all ${metrics.length} metrics`)] : []));
    const axisWidth = Math.max(...places.map(([metric]) => axisWidthOf(metric.values ?? metric.mean)));
    this.plots = [];
    this.plots = places.map(([metric, plot]) => timeChart(plot, {
      times: this.track.times,
      width: width ?? this.place.clientWidth,
      curve: metric.values ? {values: metric.values} : this.curve(metric),
      spans: this.track.spans.map(({from, to}) => [from, to]),
      zone: this.zone,
      from0: metric.from0,
      accent: metric.accent,
      axisWidth,
      ranged: (min, max) => this.setRange(min, max),
      pointed: (moment, tolerance) => this.pointedAt(moment, tolerance),
    }));
    this.range = this.whole();
    this.setRange(...range);
  }

  /** If no point stands for several values, there is no band. */
  curve({mean, low, high}) {
    return low.length > 0 ? {values: mean, low, high} : {values: mean};
  }

  showAll() {
    this.all = true;
    this.draw();
  }

  resize() {
    const width = this.place.clientWidth;
    for (const plot of this.plots) {
      if (width > 0 && plot.width !== width) plot.setSize({width, height: plot.height});
    }
  }

  sentence(metric) {
    const [from, to] = this.whole();
    return `${metric.name}${this.track.key ? ` of ${this.track.key}` : ''} from ${this.zone.text(from)} to ${this.zone.text(to)}, with ${counted(this.track.spans.length, 'anomalous span')} shaded.`;
  }

  pointedAt(moment, tolerance) {
    const hit = this.track.spans.find((span) => span.row !== null && moment >= span.from - tolerance && moment <= span.to + tolerance);
    if (hit) this.goTo(hit);
  }

  goTo(span) {
    this.chooseNumbered(this.data.rows[span.row].row);
  }

  spanList() {
    const {spans} = this.track;
    if (this.data.is_in_time) return [];
    if (spans.length === 0) return [make('p', {}, 'No anomalies in this series.')];
    const lines = spans.map((span) => make('li', {}, this.spanName(span), ` \u00b7 ${counted(span.n_anomalies, 'anomaly', 'anomalies')}, up to ${bitsText(span.bits)} bits`));
    return [make('h3', {}, 'Times with anomalies'), scrolling('Times with anomalies', make('ul', {class: 'spans'}, lines))];
  }

  spanName(span) {
    const text = stretchText(this.zone, span.from, span.to);
    return span.row === null ? text : make('a', {href: `#row-${this.data.rows[span.row].row}`}, text);
  }
}
